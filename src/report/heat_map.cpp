#include "bermuda/report/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

struct Rgb {
  double red;
  double green;
  double blue;
};

// Nuñez, Anderton and Renslow 2018: cividis, at ten places.
constexpr std::array<Rgb, 10> kColours = {{{0, 32, 77},
                                           {0, 51, 111},
                                           {57, 72, 107},
                                           {87, 92, 109},
                                           {112, 113, 115},
                                           {138, 135, 121},
                                           {166, 157, 117},
                                           {196, 181, 108},
                                           {228, 207, 91},
                                           {255, 234, 70}}};

Rgb colour_at(double share) {
  const double place = std::clamp(std::isfinite(share) ? share : 0, 0.0, 1.0) *
                       static_cast<double>(kColours.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kColours.size() - 2);
  const double part = place - static_cast<double>(below);
  const Rgb& a = kColours[below];
  const Rgb& b = kColours[below + 1];
  return {a.red + part * (b.red - a.red), a.green + part * (b.green - a.green),
          a.blue + part * (b.blue - a.blue)};
}

/// Ink that can be read on the colour, by the name it has in kStyle.
const char* ink_on(double share) {
  const Rgb colour = colour_at(share);
  const double luma = 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue;
  return luma > 128 ? "on-light" : "on-dark";
}

std::string in_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    }
  }
  return out;
}

/// About how wide a text of this size is drawn; bytes stand for letters.
double text_width(std::string_view text, double size) {
  return static_cast<double>(text.size()) * size * 0.58;
}

double widest(const std::vector<std::string>& texts, double size) {
  double most = 0;
  for (const std::string& text : texts) most = std::max(most, text_width(text, size));
  return most;
}

constexpr double kSmall = 11;
constexpr double kRowHeight = 28;
constexpr double kGap = 8;
constexpr double kSlant = 0.71;  // of a name that is written at 45 degrees
constexpr double kScaleWidth = 120;
constexpr double kScaleHeight = 10;

// Cells bring their own colours; what stands on paper follows the reader's scheme. A page that
// shows the picture inside drops this and has its own.
constexpr const char* kStyle =
    "<style>.heat-map text{fill:#20262e;font-family:system-ui,-apple-system,\"Segoe "
    "UI\",Roboto,Arial,sans-serif}.heat-map .soft{fill:#5c6570}.heat-map .frame{stroke:#c02626}"
    ".heat-map .empty{fill:none;stroke:#a9a498}@media (prefers-color-scheme:dark){.heat-map "
    "text{fill:#e4e2dc}.heat-map .soft{fill:#a2a9b1}.heat-map .frame{stroke:#ff7b72}.heat-map "
    ".empty{stroke:#6d7681}}.heat-map .on-dark{fill:#fff}.heat-map .on-light{fill:#10151b}"
    "</style>";

class HeatDrawing {
 public:
  explicit HeatDrawing(const HeatMap& map) : map_(map) {
    column_width_ = 34;
    for (const auto& row : map.cells) {
      for (const HeatCell& cell : row) {
        column_width_ = std::max(column_width_, text_width(cell.text, kSmall) + 12);
      }
    }
    if (!map.slanted_columns) {
      column_width_ = std::max(column_width_, widest(map.columns, kSmall) + 8);
    }
    left_ = widest(map.rows, kSmall) + kGap + (map.row_axis.empty() ? 0 : 18) + 2;
    top_ = map.title.empty() ? 4 : 26;
    right_ = left_ + column_width_ * static_cast<double>(map.columns.size());
    bottom_ = top_ + kRowHeight * static_cast<double>(map.rows.size());
  }

  std::string svg() {
    draw_cells();
    draw_frame();
    draw_names();
    draw_scale();
    const std::string about = map_.title.empty() ? "heat map" : map_.title;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heat-map\" role=\"img\" "
        "aria-label=\"{}\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\">"
        "<!-- Drawn by bermuda -->{}{}</svg>\n",
        in_xml(about), std::ceil(wide_), std::ceil(high_), std::ceil(wide_), std::ceil(high_),
        kStyle, body_);
  }

 private:
  double share_of(double value) const {
    return map_.high > map_.low ? (value - map_.low) / (map_.high - map_.low) : 0;
  }

  void text(double x, double y, std::string_view words, std::string_view more) {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>", x, y, more, in_xml(words));
  }

  void draw_cells() {
    for (std::size_t r = 0; r < map_.rows.size(); ++r) {
      for (std::size_t c = 0; c < map_.columns.size(); ++c) {
        const HeatCell& cell = map_.cells[r][c];
        const double x = left_ + column_width_ * static_cast<double>(c);
        const double y = top_ + kRowHeight * static_cast<double>(r);
        body_ += cell.value ? "<g class=\"cell\">" : "<g class=\"cell none\">";
        if (!cell.hover.empty()) body_ += fmt::format("<title>{}</title>", in_xml(cell.hover));
        const std::string place =
            fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", x + 1,
                        y + 1, column_width_ - 2, kRowHeight - 2);
        if (cell.value) {
          const double share = share_of(*cell.value);
          body_ += fmt::format("<rect {} fill=\"{}\"/>", place, heat_colour(share));
          text(x + column_width_ / 2, y + kRowHeight / 2 + 4, cell.text,
               fmt::format("class=\"{}\" font-size=\"11\" text-anchor=\"middle\"", ink_on(share)));
        } else {
          body_ += fmt::format("<rect class=\"empty\" {} stroke-dasharray=\"2 3\"/>", place);
          if (!cell.text.empty()) {
            text(x + column_width_ / 2, y + kRowHeight / 2 + 4, cell.text,
                 "class=\"soft\" font-size=\"11\" text-anchor=\"middle\"");
          }
        }
        body_ += "</g>";
      }
    }
  }

  bool is_marked(std::size_t row, std::size_t column) const {
    return row < map_.rows.size() && column < map_.columns.size() && map_.cells[row][column].marked;
  }

  /// The lines between marked fields and others.
  void draw_frame() {
    std::string path;
    const auto line = [&](double x, double y, double to_x, double to_y) {
      path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x, y, to_x, to_y);
    };
    for (std::size_t r = 0; r < map_.rows.size(); ++r) {
      for (std::size_t c = 0; c < map_.columns.size(); ++c) {
        if (!is_marked(r, c)) continue;
        const double x = left_ + column_width_ * static_cast<double>(c);
        const double y = top_ + kRowHeight * static_cast<double>(r);
        const double x2 = x + column_width_;
        const double y2 = y + kRowHeight;
        if (r == 0 || !is_marked(r - 1, c)) line(x, y, x2, y);
        if (!is_marked(r + 1, c)) line(x, y2, x2, y2);
        if (c == 0 || !is_marked(r, c - 1)) line(x, y, x, y2);
        if (!is_marked(r, c + 1)) line(x2, y, x2, y2);
      }
    }
    framed_ = !path.empty();
    if (!framed_) return;
    body_ += fmt::format(
        "<path class=\"frame\" d=\"{}\" fill=\"none\" stroke-width=\"2.5\" "
        "stroke-linecap=\"round\"/>",
        path);
  }

  void draw_names() {
    if (!map_.title.empty()) text(left_, 16, map_.title, "font-size=\"13\" font-weight=\"600\"");
    for (std::size_t r = 0; r < map_.rows.size(); ++r) {
      text(left_ - kGap, top_ + kRowHeight * (static_cast<double>(r) + 0.5) + 4, map_.rows[r],
           "font-size=\"11\" text-anchor=\"end\"");
    }
    double below = bottom_ + 15;
    wide_ = std::max(right_, left_ + text_width(map_.title, 13)) + 4;
    for (std::size_t c = 0; c < map_.columns.size(); ++c) {
      const double x = left_ + column_width_ * (static_cast<double>(c) + 0.5);
      if (map_.slanted_columns) {
        text(x, below, map_.columns[c],
             fmt::format("font-size=\"11\" text-anchor=\"end\" transform=\"rotate(-45 {:.1f} "
                         "{:.1f})\"",
                         x, below));
      } else {
        text(x, below, map_.columns[c], "font-size=\"11\" text-anchor=\"middle\"");
      }
    }
    if (map_.slanted_columns) below += widest(map_.columns, kSmall) * kSlant;
    if (!map_.column_axis.empty()) {
      below += 16;
      text((left_ + right_) / 2, below, map_.column_axis,
           "class=\"soft\" font-size=\"11\" text-anchor=\"middle\"");
    }
    if (!map_.row_axis.empty()) {
      const double y = (top_ + bottom_) / 2;
      text(12, y, map_.row_axis,
           fmt::format("class=\"soft\" font-size=\"11\" text-anchor=\"middle\" "
                       "transform=\"rotate(-90 12 {:.1f})\"",
                       y));
    }
    high_ = below + 8;
  }

  void draw_scale() {
    if (map_.scale.empty()) return;
    constexpr int kSteps = 24;
    double y = high_ + 8;
    double x = left_;
    text(x, y + 9, map_.scale, "class=\"soft\" font-size=\"11\"");
    x += text_width(map_.scale, kSmall) + kGap;
    text(x, y + 9, map_.low_text, "class=\"soft\" font-size=\"11\"");
    x += text_width(map_.low_text, kSmall) + 5;
    for (int i = 0; i < kSteps; ++i) {
      const double step = kScaleWidth / kSteps;
      body_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>",
          x + i * step, y, step + 0.5, kScaleHeight,
          heat_colour(static_cast<double>(i) / (kSteps - 1)));
    }
    x += kScaleWidth + 5;
    text(x, y + 9, map_.high_text, "class=\"soft\" font-size=\"11\"");
    x += text_width(map_.high_text, kSmall);
    wide_ = std::max(wide_, x + 4);
    high_ = y + kScaleHeight + 6;
    if (map_.mark_text.empty() || !framed_) return;
    y = high_ + 2;
    body_ += fmt::format(
        "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"10\" fill=\"none\" "
        "stroke-width=\"2.5\"/>",
        left_, y);
    text(left_ + 14 + kGap, y + 9, map_.mark_text, "class=\"soft\" font-size=\"11\"");
    wide_ = std::max(wide_, left_ + 14 + kGap + text_width(map_.mark_text, kSmall) + 4);
    high_ = y + kScaleHeight + 6;
  }

  const HeatMap& map_;
  std::string body_;
  double column_width_ = 0;
  double left_ = 0;
  double top_ = 0;
  double right_ = 0;
  double bottom_ = 0;
  double wide_ = 0;
  double high_ = 0;
  bool framed_ = false;
};

}  // namespace

std::string heat_colour(double share) {
  const Rgb colour = colour_at(share);
  const auto byte = [](double value) { return static_cast<int>(std::lround(value)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour.red), byte(colour.green),
                     byte(colour.blue));
}

std::string heat_map_svg(const HeatMap& map) {
  const bool whole = map.cells.size() == map.rows.size() &&
                     std::ranges::all_of(map.cells, [&](const std::vector<HeatCell>& row) {
                       return row.size() == map.columns.size();
                     });
  if (!whole || map.rows.empty() || map.columns.empty()) {
    throw Error(fmt::format("a heat map of {} rows and {} columns lacks cells", map.rows.size(),
                            map.columns.size()));
  }
  return HeatDrawing(map).svg();
}

}  // namespace bermuda
