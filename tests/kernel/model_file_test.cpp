#include "bermuda/method/model_file.hpp"

#include <gtest/gtest.h>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/kernel/register.hpp"

namespace bermuda {
namespace {

class ModelFile : public ::testing::TestWithParam<const char*> {
 protected:
  ModelFile() {
    register_kernel_methods(registry_);
    const auto task = make_task("triangles");
    data_ = generate_candidates(*task, 3, 300, {});
    samples_ = data_.all();
    method_ = registry_.get(GetParam()).make();
    method_->parameters().get("costs").set("1");
    method_->fit({samples_, samples_, 2, 7}, {});
    bytes_ = encode_model(*method_, data_.class_names);
  }

  MethodRegistry registry_;
  DataSet data_;
  std::vector<const Sample*> samples_;
  std::unique_ptr<Method> method_;
  std::string bytes_;
};

TEST_P(ModelFile, PredictsTheSameAfterLoading) {
  const Model model = decode_model(bytes_, "file", registry_);
  EXPECT_EQ(model.class_names, data_.class_names);
  EXPECT_EQ(model.method->name(), GetParam());
  const auto before = method_->predict(samples_, {});
  const auto after = model.method->predict(samples_, {});
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(before[i].label, after[i].label);
    ASSERT_EQ(before[i].scores, after[i].scores);
  }
  EXPECT_EQ(encode_model(*model.method, model.class_names), bytes_);
}

TEST_P(ModelFile, EveryCutIsAClearError) {
  for (std::size_t i = 0; i < 50; ++i) {
    const std::string cut = bytes_.substr(0, bytes_.size() * i / 50);
    EXPECT_THROW(decode_model(cut, "file", registry_), InputError) << i;
  }
}

TEST_P(ModelFile, EveryFlippedBitIsAClearError) {
  RandomStream random(1, Purpose::kTest);
  for (int i = 0; i < 200; ++i) {
    std::string flipped = bytes_;
    const auto place = random.below(static_cast<std::uint32_t>(bytes_.size()));
    flipped[place] = static_cast<char>(flipped[place] ^ (1 << random.below(8)));
    EXPECT_THROW(decode_model(flipped, "file", registry_), InputError) << place;
  }
}

// With the checksum made right again the content itself must stand the check.
TEST_P(ModelFile, DamageUnderARightChecksumNeverCrashes) {
  RandomStream random(2, Purpose::kTest);
  const std::string body = bytes_.substr(0, bytes_.size() - 64);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = body;
    const auto place = 16 + random.below(static_cast<std::uint32_t>(body.size()) - 16);
    damaged[place] = static_cast<char>(random.next_u32());
    try {
      const Model model = decode_model(damaged + sha256(damaged), "file", registry_);
      model.method->predict(std::span(samples_).first(5), {});
    } catch (const Error&) {
    }
  }
}

TEST_P(ModelFile, AnOptionThatIsNoMoreIsNamed) {
  std::string older = bytes_.substr(0, bytes_.size() - 64);
  const auto place = older.find("\"refit\"");
  ASSERT_NE(place, std::string::npos);
  older.replace(place, 7, "\"once_\"");
  try {
    decode_model(older + sha256(older), "run/model", registry_);
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("run/model: found"), std::string::npos) << text;
    EXPECT_NE(text.find("once_"), std::string::npos) << text;
    EXPECT_NE(text.find("expected a model that this program can read"), std::string::npos) << text;
  }
}

TEST_P(ModelFile, ForeignAndNewerFiles) {
  EXPECT_THROW(decode_model("", "file", registry_), InputError);
  EXPECT_THROW(decode_model("PK\x03\x04 a zip", "file", registry_), InputError);
  for (const char version : {'1', '3'}) {  // earlier, newer
    std::string other = bytes_;
    other[14] = version;
    try {
      decode_model(other, "run/model", registry_);
      FAIL();
    } catch (const InputError& error) {
      const std::string said = std::string("run/model: found model format '") + version + "'";
      EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
    }
  }
  const MethodRegistry empty;
  EXPECT_THROW(decode_model(bytes_, "file", empty), InputError);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, ModelFile,
                         ::testing::Values("svm-wl", "svm-graphlet", "svm-graphlet-exact",
                                           "svm-labels"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace bermuda
