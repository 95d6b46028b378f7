#!/usr/bin/env python3
"""scikit-learn's SVC on a kernel matrix that kernel_benchmark wrote.

Usage: svc_precomputed.py GRAM_FILE    (needs Debian's python3-sklearn)
"""
import sys
import time

import numpy
from sklearn.svm import SVC

values = numpy.fromfile(sys.argv[1])
count = int((numpy.sqrt(4 * len(values) + 1) - 1) / 2)  # count labels, then count^2 kernel values
labels, kernel = values[:count], values[count:].reshape(count, count)
start = time.process_time()
model = SVC(kernel="precomputed", C=1, cache_size=200).fit(kernel, labels)
print(f"SVC on {count} x {count}: {time.process_time() - start:.2f} s CPU, "
      f"{len(model.support_)} support vectors")
