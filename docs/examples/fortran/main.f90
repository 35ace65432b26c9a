! SPDX-License-Identifier: Apache-2.0
! main.f90 - a kernel and a reduction from Fortran.
program main
   use heddle
   implicit none

   interface
      integer(c_int) function launch_axpy(n, a, x, y, stream) bind(c) ! launch.c
         import
         integer(c_size_t), value :: n
         real(c_double), value :: a
         type(c_ptr), value :: x, y, stream
      end function
   end interface

   integer(c_size_t), parameter :: n = 1000
   real(c_double) :: x(n), y(n), total(1)
   type(c_ptr) :: stream, device_x, device_y, device_total
   integer :: i

   x = [(real(i - 1, c_double), i = 1, n)]
   y = 1
   total = 0
   call check(hd_stream_create(0, stream))
   device_x = to_device(x, stream)
   device_y = to_device(y, stream)
   device_total = to_device(total, stream)

   call check(launch_axpy(n, 2.0_c_double, device_x, device_y, stream))
   ! c_null_ptr: the stream keeps the workspace of the reduction.
   call check(hd_reduce(device_y, n, HD_F64, HD_SUM, device_total, c_null_ptr, stream))
   call to_host(y, device_y, stream)
   call to_host(total, device_total, stream)
   print '(a, f0.1)', '2 * 999 + 1 = ', y(n)
   print '(a, f0.1)', 'sum of 2 * i + 1 for i < 1000: ', total(1)

   call check(hd_free(device_total))
   call check(hd_free(device_y))
   call check(hd_free(device_x))
   call check(hd_stream_destroy(stream))
   if (any(y /= 2 * x + 1) .or. total(1) /= 1.0e6_c_double) error stop 1
end program
