#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::kMayLackClass;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string document(const std::string& keys, const std::string& graph) {
  return "<?xml version='1.0' encoding='UTF-8'?>\n"
         "<graphml xmlns='http://graphml.graphdrawing.org/xmlns' "
         "xmlns:y='http://www.yworks.com/xml/graphml'>\n" +
         keys + "<graph id='G' edgedefault='undirected'>" + graph + "</graph></graphml>";
}

Graph graphml_graph(const TemporaryFolder& folder, const std::string& text) {
  return read_dataset(folder.write("a.graphml", text), kMayLackClass)
      .splits.at(0)
      .samples.at(0)
      .graph;
}

TEST(Graphml, NodesAndEdges) {
  const TemporaryFolder folder;
  const Graph path(3, {{0, 1}, {1, 2}});
  EXPECT_EQ(graphml_graph(folder, document("",
                                           "<node id='n0'/><node id='n1'/><node id='n2'/>"
                                           "<edge source='n0' target='n1'/>"
                                           "<edge id='e' source='n2' target='n1'/>")),
            path);
  // Edges may come first, in both directions, and without a namespace.
  EXPECT_EQ(graphml_graph(folder,
                          "<graphml><graph><edge source='a' target='b'/>"
                          "<edge source='b' target='a'/><edge source='b' target='c'/>"
                          "<edge source='c' target='b'/><node id='a'/><node id='b'/>"
                          "<node id='c'/></graph></graphml>"),
            path);
  EXPECT_EQ(graphml_graph(folder, document("", "")), Graph(0, {}));
}

TEST(Graphml, WhatOtherProgramsAddIsPassedOver) {
  const TemporaryFolder folder;
  EXPECT_EQ(
      graphml_graph(folder, document("<key for='node' id='d6' yfiles.type='nodegraphics'/>"
                                     "<key id='s' for='node' attr.name='name'/>"
                                     "<key id='w' for='edge' attr.name='weight' "
                                     "attr.type='double'/><!-- a comment -->",
                                     "<desc>text</desc><data key='s'>of the graph</data>"
                                     "<node id='0'><data key='d6'><y:ShapeNode><y:node/>text"
                                     "</y:ShapeNode></data><data key='s'>x &lt; y</data>"
                                     "<port name='p'/></node><node id='1'/>"
                                     "<edge source='0' target='1'><data key='w'>2</data></edge>")),
      Graph(2, {{0, 1}}));
}

TEST(Graphml, LabelsAndAttributes) {
  const TemporaryFolder folder;
  const Graph graph = graphml_graph(
      folder,
      document("<key id='l' for='node' attr.name='label' attr.type='double'/>"
               "<key id='z' for='node' attr.name='z' attr.type='int'><default> 7 </default></key>"
               "<key id='a' for='node' attr.name='b' attr.type='float'/>"
               "<key id='e' for='edge' attr.name='label' attr.type='int'/>",
               "<node id='0'><data key='l'>6</data><data key='a'>0.5</data></node>"
               "<node id='1'><data key='z'>8</data><data key='l'>-1.0</data>"
               "<data key='a'>1e3</data></node><node id='2'><data key='l'>6</data>"
               "<data key='a'>-2</data></node>"
               "<edge source='2' target='1'><data key='e'>4</data></edge>"
               "<edge source='1' target='0'><data key='e'>5</data></edge>"));
  EXPECT_THAT(graph.node_labels(), ElementsAre(6, -1, 6));
  EXPECT_THAT(graph.edge_labels(), ElementsAre(5, 4));
  EXPECT_EQ(graph.attribute_width(), 2);
  EXPECT_THAT(graph.attributes(), ElementsAre(0.5, 7, 1e3, 8, -2, 7));
}

TEST(Graphml, KeysOfOneNameBelongToDifferentThings) {
  const TemporaryFolder folder;
  const auto key = [](const std::string& id, const std::string& domain) {
    return "<key id='" + id + "' for='" + domain + "' attr.name='w' attr.type='int'/>";
  };
  const std::string nodes = "<node id='0'><data key='a'>1</data></node>";
  EXPECT_EQ(graphml_graph(folder,
                          document(key("a", "node") + key("b", "edge") + key("c", "graph"), nodes))
                .attribute_width(),
            1);
  for (const auto& [first, second] : {std::pair{"node", "node"}, std::pair{"node", "all"},
                                      std::pair{"all", "node"}, std::pair{"all", "all"}}) {
    EXPECT_THROW(graphml_graph(folder, document(key("a", first) + key("b", second), nodes)),
                 InputError)
        << first << ", " << second;
  }
}

TEST(Graphml, TextLabelsHaveTheSameNumberEverywhere) {
  const TemporaryFolder folder;
  const std::string key = "<key id='l' for='node' attr.name='label' attr.type='string'/>";
  const auto node = [](const std::string& id, const std::string& label) {
    return "<node id='" + id + "'><data key='l'>" + label + "</data></node>";
  };
  const Graph both = graphml_graph(folder, document(key, node("0", "N") + node("1", "C")));
  const Graph one = graphml_graph(folder, document(key, node("0", "C") + node("1", "12")));
  EXPECT_NE(both.node_labels()[0], both.node_labels()[1]);
  EXPECT_EQ(both.node_labels()[1], one.node_labels()[0]);
  EXPECT_EQ(one.node_labels()[0], 380779533);  // by the SHA-256 of C, on every machine
  EXPECT_EQ(one.node_labels()[1], 12);
}

TEST(Graphml, NothingThatAFileNamesIsLoaded) {
  const TemporaryFolder folder;
  const std::string secret = folder.write("secret", "abracadabra").string();
  for (const std::string& type :
       {"<!DOCTYPE graphml [<!ENTITY e SYSTEM '" + secret + "'>]>",
        "<!DOCTYPE graphml SYSTEM '" + secret + "'>", std::string("<!DOCTYPE graphml>")}) {
    try {
      graphml_graph(folder,
                    type + "<graphml><graph><node id='0'/><desc>&e;</desc></graph></graphml>");
      ADD_FAILURE() << type;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("a.graphml:1: found"));
      EXPECT_THAT(error.what(), Not(HasSubstr("abracadabra")));
    }
  }
}

TEST(Graphml, CanBeStoppedAndCountsNodes) {
  const TemporaryFolder folder;
  std::string nodes;
  for (int i = 0; i < 5000; ++i) nodes += "<node id='" + std::to_string(i) + "'/>\n";
  const auto file = folder.write("a.graphml", document("", nodes));
  EXPECT_THROW(read_dataset(file, {.max_nodes = 4999, .may_lack_class = true}), InputError);
  EXPECT_EQ(read_dataset(file, kMayLackClass).splits[0].samples[0].graph.node_count(), 5000);
  const std::atomic<bool> stop = true;
  EXPECT_THROW(read_dataset(file, {.stop = Execution{.stop = &stop}, .may_lack_class = true}),
               Interrupted);
}

}  // namespace
}  // namespace bermuda
