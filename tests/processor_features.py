"""Prints what numpy can leave unused of this processor, in the way NPY_DISABLE_CPU_FEATURES wants it."""

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

print(" ".join(name for name in __cpu_dispatch__ if __cpu_features__[name]))
