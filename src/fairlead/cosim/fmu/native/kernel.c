/* From C to numba's calling convention, the choice of the fastest kernel, and what numba's code asks of its runtime. */
#include "kernel.h"

/* numba passes results through a pointer and returns 0, or says that an exception was raised. */
typedef int32_t numba_kernel(int64_t *result, void **exception, double, double *, int64_t, int64_t, double,
                             const double *, int64_t, int64_t *, int64_t, double *, int64_t, double *,
                             int64_t, int64_t, double *, double *, int64_t);

numba_kernel fairlead_kernel;

#if defined(__x86_64__)
#include <cpuid.h>

numba_kernel fairlead_kernel_fma; /* with AVX2 and fused multiply-add: nearly every x86-64 since 2013 */

static int has_avx2_and_fma(void) {
    unsigned a, b, c, d, low, high;
    const unsigned fma = 1u << 12, osxsave = 1u << 27, avx = 1u << 28, avx2 = 1u << 5;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (fma | osxsave | avx)) != (fma | osxsave | avx)) return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0)); /* does the system save the wide registers? */
    if ((low & 6u) != 6u) return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & avx2);
}

static numba_kernel *best(void) {
    static numba_kernel *chosen; /* asking the processor costs microseconds in a virtual machine */
    if (!chosen) chosen = has_avx2_and_fma() ? fairlead_kernel_fma : fairlead_kernel;
    return chosen;
}
#else
static numba_kernel *best(void) {
    return fairlead_kernel;
}
#endif

int64_t kernel_run(double t, double *y, int64_t n_y, int64_t n, double h, const double *u, int64_t n_u,
                   int64_t *ints, int64_t n_ints, double *reals, int64_t n_reals, double *work,
                   int64_t n_work, int64_t kind, double *copy, double *row, int64_t n_row) {
    int64_t status = KERNEL_OK;
    void *exception = 0;
    int32_t raised = best()(&status, &exception, t, y, n_y, n, h, u, n_u, ints, n_ints, reals, n_reals, work, n_work,
                            kind, copy, row, n_row);
    return raised ? KERNEL_RAISED : status;
}

/* numba's `array.reshape`: new strides for the same memory. Kernels reshape contiguous parts of flat arrays only. */
int numba_attempt_nocopy_reshape(int64_t nd, const int64_t *dims, const int64_t *strides, int64_t new_nd,
                                 const int64_t *new_dims, int64_t *new_strides, int64_t itemsize, int fortran_order) {
    int64_t before = 1, after = 1, stride = itemsize;
    if (fortran_order) return 0;
    for (int64_t k = nd - 1; k >= 0; k--) {
        if (dims[k] != 1 && strides[k] != before * itemsize) return 0;
        before *= dims[k];
    }
    for (int64_t k = 0; k < new_nd; k++) after *= new_dims[k];
    if (before != after) return 0;
    for (int64_t k = new_nd - 1; k >= 0; k--) {
        new_strides[k] = stride;
        stride *= new_dims[k];
    }
    return 1;
}
