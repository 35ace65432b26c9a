# SPDX-License-Identifier: Apache-2.0
from spack.package import *


class Heddle(CMakePackage, CudaPackage, ROCmPackage):
    """GPU kernels written once in C for warps of 32, wavefronts of 64 and the CPU: a library, a
    tool, and an engine that checks kernels without a GPU."""

    homepage = "https://github.com/heddle/heddle"
    git = "https://github.com/heddle/heddle.git"

    license("Apache-2.0")

    version("main", branch="main")

    variant("mpi", default=False, description="heddle::mpi, and the program behind `heddle mpi`")
    variant("check", default=False, description="the checking engine in place of the fast one")
    variant("png", default=True, when="~check", description="pictures as input and output")
    variant("shared", default=False, description="heddle::heddle is the shared library")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("cxx", type="build", when="+rocm")
    depends_on("cmake@3.25:", type="build")
    depends_on("gmake", type="build")
    depends_on("libpng", when="+png")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12:", when="+cuda")
    depends_on("binutils", type="run", when="+check")  # addr2line: lines of findings

    conflicts("+cuda", when="+rocm", msg="a build has one backend")
    conflicts("+check", when="+cuda", msg="the checking engine runs on the CPU")
    conflicts("+check", when="+rocm", msg="the checking engine runs on the CPU")
    conflicts("cuda_arch=none", when="+cuda", msg="set cuda_arch, for example cuda_arch=80,90")

    def cmake_args(self):
        spec = self.spec
        backend = "cuda" if "+cuda" in spec else "hip" if "+rocm" in spec else "cpu"
        args = [
            self.define("HEDDLE_BACKEND", backend),
            self.define("HEDDLE_MPI", "ON" if "+mpi" in spec else "OFF"),
            self.define("HEDDLE_BUILD_TESTS", self.run_tests),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_PNG", "+png" not in spec),
            self.define_from_variant("HEDDLE_CHECK", "check"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
        ]
        if backend == "cuda":
            args.append(self.define("HEDDLE_CUDA_ARCHITECTURES", spec.variants["cuda_arch"].value))
        if backend == "hip":
            compiler = join_path(spec["llvm-amdgpu"].prefix.bin, "clang++")
            args.append(self.define("HEDDLE_HIP_PLATFORM", "amd"))
            args.append(self.define("HEDDLE_HIP_COMPILER", compiler))
            args.append(self.define("HEDDLE_HIP_INCLUDE_DIR", spec["hip"].prefix.include))
            targets = spec.variants["amdgpu_target"].value
            if "none" not in targets:
                args.append(self.define("HEDDLE_HIP_ARCHITECTURES", targets))
        return args
