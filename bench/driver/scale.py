"""Logarithmic axes of a chart."""

import math

STEP = {2: 8, 10: 10}


class LogScale:
    """Places the values of a range, both ends included, along pixels."""

    def __init__(self, values, start, end, base):
        step = STEP[base]
        self._low = math.floor(math.log(min(values), step) + 1e-9)
        self._high = math.ceil(math.log(max(values), step) - 1e-9)
        if self._high == self._low:
            self._high += 1
        self._start, self._end, self._step = start, end, step

    def __call__(self, value):
        share = ((math.log(value, self._step) - self._low)
                 / (self._high - self._low))
        return self._start + share * (self._end - self._start)

    def ticks(self):
        """Every power of the step within the range."""
        return [self._step ** i for i in range(self._low, self._high + 1)]
