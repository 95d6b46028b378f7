#!/usr/bin/env python3
"""One round of the original filter: scikit-learn's saga with an elastic net, as its script sets it.

Usage: logistic_saga.py MATRIX_FILE    (made by filter_benchmark; needs Debian's python3-sklearn)
Prints CPU seconds of the fit on folds 0..5 and the accuracy on folds 6..9.
"""
import sys
import time
import warnings

import numpy
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")
matrix, labels = load_svmlight_file(sys.argv[1], zero_based=True)
fold = numpy.arange(len(labels)) % 10
start = time.process_time()
model = LogisticRegression(solver="saga", max_iter=200, penalty="elasticnet", l1_ratio=0.3)
model.fit(matrix[fold < 6], labels[fold < 6])
probability = model.predict_proba(matrix[fold >= 6])[:, 1]
seconds = time.process_time() - start
truth = labels[fold >= 6]
confident = abs(1 - 2 * probability) > 0.4
right = (probability > 0.5) == (truth == 1)
print(f"saga, one of ten rounds: {seconds:.1f} s CPU, so {10 * seconds:.0f} s for all; "
      f"accuracy {right.mean():.4f}, confident {confident.mean():.4f}, "
      f"of these {right[confident].mean():.4f}, "
      f"of these on class 1 {right[confident & (truth == 1)].mean():.4f}")
