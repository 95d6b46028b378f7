#include <torch/torch.h>

#include "batches.hpp"
#include "bermuda/train/trainer.hpp"

namespace bermuda::train {

std::vector<std::vector<double>> probabilities(nn::Network& network, GraphSource& source,
                                               int batch_size, std::uint64_t seed, int rounds,
                                               const Execution& execution) {
  const torch::NoGradGuard no_grad;
  network.eval();
  std::vector<std::vector<double>> all;
  const std::vector<int> order = in_order(source.graphs().graph_count());
  for_batches(source, order, batch_size, execution, [&](const nn::Batch& batch) {
    torch::Tensor sum;
    for (int round = 0; round < rounds; ++round) {
      network.pass = {.seed = seed, .round = static_cast<std::uint32_t>(round)};
      const torch::Tensor shares = torch::softmax(network.forward(batch), 1).to(torch::kDouble);
      sum = round == 0 ? shares : sum + shares;
    }
    sum = (sum / rounds).contiguous();
    const double* row = sum.data_ptr<double>();
    for (std::int64_t i = 0; i < sum.size(0); ++i, row += sum.size(1)) {
      all.emplace_back(row, row + sum.size(1));
    }
  });
  return all;
}

}  // namespace bermuda::train
