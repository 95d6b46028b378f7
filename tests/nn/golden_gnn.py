"""Golden values: graph convolution, isomorphism and attention networks."""

import torch
from torch import nn
from torch.nn import functional

from golden_batch import at_least_one

LAYERS = 3
HIDDEN = 12
HEADS = 3


class Embedding(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(features, HIDDEN))  # one row per feature
        self.bias = nn.Parameter(torch.empty(HIDDEN))

    def forward(self, features):
        return features @ self.weight + self.bias


class GcnLayer(nn.Module):
    """X' = relu(BN(A X W^T)) + X, where A averages over the neighbours."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.norm = nn.BatchNorm1d(HIDDEN)

    def forward(self, x, batch):
        z = self.normalised(batch) @ self.linear(x)
        return functional.relu(self.norm(z)) + x

    def normalised(self, batch):
        return batch.adjacency / at_least_one(batch.degrees())


class GcnSymLayer(GcnLayer):
    """Kipf and Welling: self loops, coefficient 1 / sqrt((d_u + 1)(d_v + 1))."""

    def normalised(self, batch):
        scale = (batch.degrees() + 1).rsqrt()
        return scale * (batch.adjacency + torch.eye(len(scale))) * scale.T


class GinLayer(nn.Module):
    """Z = ((1 + eps) X + A X) W1^T;  X' = relu(BN(relu(BN1(Z)) W2^T)) + X, where A adds."""

    def __init__(self):
        super().__init__()
        self.eps = nn.Parameter(torch.empty(1))
        self.linear1 = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.norm1 = nn.BatchNorm1d(HIDDEN)
        self.linear2 = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.norm = nn.BatchNorm1d(HIDDEN)

    def forward(self, x, batch):
        z = self.linear1((1 + self.eps) * x + batch.adjacency @ x)
        h = self.linear2(functional.relu(self.norm1(z)))
        return functional.relu(self.norm(h)) + x


class GatLayer(nn.Module):
    """Additive attention of node u over its neighbours v, `heads` heads side by side.

    Z = X W^T viewed as [N, K, H], the head being the last and fastest index
    e_uv = leaky_relu_0.2(<Z_v, source> + <Z_u, target>), one number per head
    Y_u = sum_v softmax_v(e_uv) Z_v, zero without neighbours;  X' = elu(BN(Y)) + X
    """

    def __init__(self, heads):
        super().__init__()
        self.linear = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.attention = nn.ParameterDict(
            {
                "source": nn.Parameter(torch.empty(HIDDEN // heads, heads)),
                "target": nn.Parameter(torch.empty(HIDDEN // heads, heads)),
            }
        )
        self.norm = nn.BatchNorm1d(HIDDEN)

    def forward(self, x, batch):
        z = self.linear(x).view(len(x), *self.attention["source"].shape)  # [N, K, H]
        source = (z * self.attention["source"]).sum(dim=1)  # [N, H]
        target = (z * self.attention["target"]).sum(dim=1)
        scores = functional.leaky_relu(target[:, None] + source[None, :], 0.2)  # [u, v, H]
        weights = scores.exp() * batch.adjacency[:, :, None]
        total = weights.sum(dim=1, keepdim=True)
        attention = weights / torch.where(total > 0, total, torch.ones_like(total))
        y = torch.einsum("uvh,vkh->ukh", attention, z).reshape(len(x), HIDDEN)
        return functional.elu(self.norm(y)) + x


class Model(nn.Module):
    def __init__(self, name, features, classes):
        super().__init__()
        self.embedding = Embedding(features)
        self.layers = nn.ModuleList(self.layer(name, number) for number in range(LAYERS))
        self.jumping = name == "gin"
        if self.jumping:
            self.scorers = nn.ModuleList(nn.Linear(HIDDEN, classes) for _ in range(LAYERS + 1))
        else:
            widths = [HIDDEN, HIDDEN // 2, HIDDEN // 4, classes]
            self.readout = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths, widths[1:]))

    @staticmethod
    def layer(name, number):
        if name == "gcn":
            return GcnLayer()
        if name == "gcn-sym":
            return GcnSymLayer()
        if name == "gin":
            return GinLayer()
        return GatLayer(heads=HEADS if number < LAYERS - 1 else 1)

    def layer_outputs(self, features, batch):
        outputs = [self.embedding(features)]
        for layer in self.layers:
            outputs.append(layer(outputs[-1], batch))
        return outputs

    def logits(self, outputs, batch):
        if self.jumping:
            return sum(score(batch.membership @ x) for score, x in zip(self.scorers, outputs))
        x = batch.membership @ outputs[-1] / at_least_one(batch.membership.sum(dim=1, keepdim=True))
        x = functional.relu(self.readout[0](x))
        x = functional.relu(self.readout[1](x))
        return self.readout[2](x)

    def forward(self, features, batch):
        return self.logits(self.layer_outputs(features, batch), batch)

    def named_values(self, value):
        """Names of our parameters, and what value() makes of each."""
        return ((name, value(parameter)) for name, parameter in self.named_parameters())
