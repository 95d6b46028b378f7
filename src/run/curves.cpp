#include "curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ticks.hpp"

namespace bermuda {
namespace {

using Epochs = std::span<const EpochRecord>;
using Figure = double EpochRecord::*;

constexpr int kWidth = 800;
constexpr int kHeight = 342;
constexpr double kTop = 86;
constexpr double kBottom = 294;
constexpr double kPanelWidth = 318;
constexpr double kDrop = 0.6;  // a schedule that sinks a little every epoch gets no lines

constexpr std::string_view kStyle = R"(
text{font:12px system-ui,sans-serif;fill:#52514e}
.title{font-size:15px;font-weight:600;fill:#0b0b0b}.panel{font-weight:600;fill:#0b0b0b}
.ground{fill:#fcfcfb}.grid{stroke:#e4e3df}.axis{stroke:#a5a49f}.drop{stroke:#a5a49f;stroke-dasharray:2 4}
.line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.train{stroke:#2a78d6}.validation{stroke:#d1541c}.best{fill:#fcfcfb;stroke:#d1541c;stroke-width:2}
@media(prefers-color-scheme:dark){
text{fill:#c3c2b7}.title,.panel{fill:#fff}
.ground{fill:#1a1a19}.grid{stroke:#33332f}.axis{stroke:#77766f}.drop{stroke:#77766f}
.train{stroke:#5b9be8}.validation{stroke:#f08a4b}.best{fill:#1a1a19;stroke:#f08a4b}}
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  return out;
}

/// The epochs with a learning rate much lower than the one before.
std::vector<const EpochRecord*> drops_of(Epochs epochs) {
  std::vector<const EpochRecord*> drops;
  for (std::size_t i = 1; i < epochs.size(); ++i) {
    if (epochs[i].learning_rate <= kDrop * epochs[i - 1].learning_rate) drops.push_back(&epochs[i]);
  }
  return drops;
}

/// Where the epochs' numbers go, from left to right.
struct EpochAxis {
  double left;
  double last;

  double x(double epoch) const {
    return left + (last <= 1 ? 0.5 : (epoch - 1) / (last - 1)) * kPanelWidth;
  }
};

/// One of the two panels: a pair of figures over the epochs.
class Panel {
 public:
  Panel(Epochs epochs, std::string_view name, double left, Figure train, Figure validation,
        double scale, Ticks ticks)
      : epochs_(epochs),
        name_(name),
        axis_{left, epochs.empty() ? 1.0 : static_cast<double>(epochs.back().epoch)},
        train_(train),
        validation_(validation),
        scale_(scale),
        ticks_(std::move(ticks)) {}

  std::string svg(const EpochRecord* best) const {
    return grid() + drops() + line(train_, "train") + line(validation_, "validation") +
           (best == nullptr ? "" : mark(*best));
  }

 private:
  double y(double value) const {
    const double share = (value - ticks_.low()) / (ticks_.high() - ticks_.low());
    return kBottom - share * (kBottom - kTop);
  }

  std::string grid() const {
    const double left = axis_.left;
    std::string out =
        fmt::format("<text class=\"panel\" x=\"{}\" y=\"{}\">{}</text>\n", left, kTop - 12, name_);
    for (const double value : ticks_.values) {
      out += fmt::format(
          "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
          "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
          left, left + kPanelWidth, y(value), left - 8, y(value) + 4, ticks_.text(value));
    }
    out += fmt::format("<line class=\"axis\" x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\"/>\n", left,
                       left + kPanelWidth, kBottom);
    for (const double epoch : epoch_ticks(axis_.last)) {
      out += fmt::format(
          "<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
          "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:.0f}</text>\n",
          axis_.x(epoch), kBottom, kBottom + 4, kBottom + 18, epoch);
    }
    return out + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">epoch</text>\n",
                             left + kPanelWidth / 2, kBottom + 36);
  }

  std::string drops() const {
    std::string out;
    for (const EpochRecord* record : drops_of(epochs_)) {
      out += fmt::format(
          "<line class=\"drop\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"><title>"
          "learning rate {3:.3g} from epoch {4}</title></line>\n",
          axis_.x(record->epoch), kTop, kBottom, record->learning_rate, record->epoch);
    }
    return out;
  }

  // One line per run of finite figures; a run of one is a dot, thanks to the round line ends.
  std::string line(Figure figure, std::string_view style) const {
    std::string path;
    bool drawing = false;
    for (const EpochRecord& record : epochs_) {
      const double value = record.*figure * scale_;
      if (std::isfinite(value)) {
        const std::string point = fmt::format("{:.1f} {:.1f}", axis_.x(record.epoch), y(value));
        path += drawing ? "L" + point : "M" + point + "L" + point;
      }
      drawing = std::isfinite(value);
    }
    return path.empty() ? "" : fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", style, path);
  }

  std::string mark(const EpochRecord& best) const {
    const double value = best.*validation_ * scale_;
    if (!std::isfinite(value)) return "";
    return fmt::format(
        "<circle class=\"best\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"><title>best epoch {}: {} "
        "{:.4g}</title></circle>\n",
        axis_.x(best.epoch), y(value), best.epoch, name_, value);
  }

  Epochs epochs_;
  std::string_view name_;
  EpochAxis axis_;
  Figure train_;
  Figure validation_;
  double scale_;
  Ticks ticks_;
};

Ticks ticks_for(Epochs epochs, Figure train, Figure validation, double scale, double least_span,
                double highest) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const EpochRecord& record : epochs) {
    for (const Figure figure : {train, validation}) {
      const double value = record.*figure * scale;
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (low > high) low = high = 0;
  const double missing = std::max(0.0, least_span - (high - low)) / 2;
  return round_ticks(std::max(low - missing, 0.0), std::min(high + missing, highest));
}

const EpochRecord* best_of(Epochs epochs, int best_epoch) {
  const EpochRecord* best = nullptr;
  for (const EpochRecord& record : epochs) {
    if (best_epoch > 0
            ? record.epoch == best_epoch
            : best == nullptr || record.validation_accuracy > best->validation_accuracy) {
      best = &record;
    }
  }
  return best;
}

std::string description(Epochs epochs, const EpochRecord* best) {
  if (best == nullptr) return "No epochs yet.";
  const EpochRecord& last = epochs.back();
  return fmt::format(
      "Two line charts over {} epochs. Last epoch: training loss {:.4g}, validation loss {:.4g}, "
      "training accuracy {:.1f} %, validation accuracy {:.1f} %. Best epoch {} with a validation "
      "accuracy of {:.1f} %.",
      last.epoch, last.train_loss, last.validation_loss, last.train_accuracy * 100,
      last.validation_accuracy * 100, best->epoch, best->validation_accuracy * 100);
}

std::string legend(Epochs epochs, const EpochRecord* best) {
  constexpr int kLine = 46;  // baseline of its text
  const auto entry = [&](int x, std::string_view style, std::string_view name) {
    return fmt::format("<path class=\"{}\" d=\"M{} {}h18\"/><text x=\"{}\" y=\"{}\">{}</text>\n",
                       style, x, kLine - 4, x + 26, kLine, name);
  };
  std::string out =
      entry(56, "line train", "training") + entry(146, "line validation", "validation");
  if (best != nullptr) {
    out += fmt::format(
        "<circle class=\"best\" cx=\"261\" cy=\"{}\" r=\"4.5\"/><text x=\"274\" y=\"{}\">best "
        "epoch "
        "{}: validation accuracy {:.1f} %</text>\n",
        kLine - 4, kLine, best->epoch, best->validation_accuracy * 100);
  }
  return drops_of(epochs).empty() ? out : out + entry(570, "drop", "learning rate drops");
}

}  // namespace

std::string learning_curves_svg(Epochs epochs, std::string_view title, int best_epoch) {
  const EpochRecord* best = best_of(epochs, best_epoch);
  constexpr Figure kLosses[] = {&EpochRecord::train_loss, &EpochRecord::validation_loss};
  constexpr Figure kAccuracies[] = {&EpochRecord::train_accuracy,
                                    &EpochRecord::validation_accuracy};
  const Panel loss(
      epochs, "loss", 56, kLosses[0], kLosses[1], 1,
      ticks_for(epochs, kLosses[0], kLosses[1], 1, 0.01, std::numeric_limits<double>::infinity()));
  // Ten points at least: noise around 50 % shall look like noise.
  const Panel accuracy(epochs, "accuracy, %", 462, kAccuracies[0], kAccuracies[1], 100,
                       ticks_for(epochs, kAccuracies[0], kAccuracies[1], 100, 10, 100));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" aria-labelledby=\"title desc\">\n"
      "<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n<style>{4}</style>\n"
      "<rect class=\"ground\" width=\"{0}\" height=\"{1}\"/>\n"
      "<text class=\"title\" x=\"56\" y=\"24\">{2}</text>\n{5}{6}{7}</svg>\n",
      kWidth, kHeight, escaped(title), description(epochs, best), kStyle, legend(epochs, best),
      loss.svg(best), accuracy.svg(best));
}

}  // namespace bermuda
