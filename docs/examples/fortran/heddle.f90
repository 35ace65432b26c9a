! SPDX-License-Identifier: Apache-2.0
! heddle.f90 - interfaces of a few of heddle's calls. Device memory is a type(c_ptr), which Fortran
! passes on and does not look into. Add a call by copying its C prototype.
module heddle
   use, intrinsic :: iso_c_binding
   implicit none

   ! From heddle/heddle.h, data.h and reduce.h: enumerators are int, in the order of their lists.
   integer(c_int), parameter :: HD_MEM_DEVICE = 0, HD_F64 = 10, HD_SUM = 0
   integer, parameter :: HD_ERROR_TEXT_MAX = 2048

   interface
      integer(c_int) function hd_stream_create(device, stream) bind(c)
         import
         integer(c_int), value :: device
         type(c_ptr), intent(out) :: stream
      end function
      integer(c_int) function hd_stream_destroy(stream) bind(c)
         import
         type(c_ptr), value :: stream
      end function
      integer(c_int) function hd_alloc_bytes(memory, count, size, kind, device) bind(c)
         import
         type(c_ptr), intent(out) :: memory
         integer(c_size_t), value :: count, size
         integer(c_int), value :: kind, device
      end function
      integer(c_int) function hd_free(memory) bind(c)
         import
         type(c_ptr), value :: memory
      end function
      integer(c_int) function hd_copy_blocking_bytes(to, from, count, size, stream) bind(c)
         import
         type(c_ptr), value :: to, from, stream
         integer(c_size_t), value :: count, size
      end function
      integer(c_int) function hd_reduce(in, n, kind, op, out, workspace, stream) bind(c)
         import
         type(c_ptr), value :: in, out, workspace, stream
         integer(c_size_t), value :: n
         integer(c_int), value :: kind, op
      end function
      type(c_ptr) function hd_error_format(text, size) bind(c)
         import
         character(kind=c_char), intent(out) :: text(*)
         integer(c_long), value :: size
      end function
   end interface

contains

   ! Stops the program with heddle's text if a call has failed.
   subroutine check(status)
      integer(c_int), intent(in) :: status
      character(kind=c_char) :: text(HD_ERROR_TEXT_MAX)
      type(c_ptr) :: ignored
      integer :: length

      if (status >= 0) return
      ignored = hd_error_format(text, int(HD_ERROR_TEXT_MAX, c_long))
      length = findloc(text, c_null_char, 1) - 1
      write (0, '(*(a))') 'fortran: ', text(1:length)
      error stop 1
   end subroutine

   ! Device memory for as many numbers as x has, with a copy of them.
   type(c_ptr) function to_device(x, stream)
      real(c_double), intent(in), target :: x(:)
      type(c_ptr), intent(in) :: stream

      call check(hd_alloc_bytes(to_device, size(x, kind=c_size_t), c_sizeof(x(1)), HD_MEM_DEVICE, 0))
      call check(hd_copy_blocking_bytes(to_device, c_loc(x), size(x, kind=c_size_t), &
                                        c_sizeof(x(1)), stream))
   end function

   ! The other way, into x; waits for the work before it in the stream.
   subroutine to_host(x, memory, stream)
      real(c_double), intent(inout), target :: x(:)
      type(c_ptr), intent(in) :: memory, stream

      call check(hd_copy_blocking_bytes(c_loc(x), memory, size(x, kind=c_size_t), c_sizeof(x(1)), &
                                        stream))
   end subroutine
end module
