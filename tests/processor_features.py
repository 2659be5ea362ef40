"""Print the processor features that numpy can disable, in the format of
NPY_DISABLE_CPU_FEATURES.
"""

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

print(" ".join(name for name in __cpu_dispatch__ if __cpu_features__[name]))
