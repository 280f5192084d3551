"""Logarithmic axes of a chart."""

import math

MAX_TICKS = 11


class LogScale:
    """Maps values to pixels, from the power of `base` at or below the least value to
    the one at or above the greatest."""

    def __init__(self, values, base, start, end):
        # The small amounts allow for rounding: log(1000, 10) is below 3.
        self._low = math.floor(math.log(min(values), base) + 1e-9)
        high = math.ceil(math.log(max(values), base) - 1e-9)
        self._high = max(high, self._low + 1)
        self._base, self._start, self._end = base, start, end

    def __call__(self, value):
        share = ((math.log(value, self._base) - self._low)
                 / (self._high - self._low))
        return self._start + share * (self._end - self._start)

    def ticks(self):
        """Returns powers of the base, as many as there is room for."""
        step = math.ceil((self._high - self._low + 1) / MAX_TICKS)
        return [self._base ** i
                for i in range(self._low, self._high + 1, step)]
