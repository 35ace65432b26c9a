/* SPDX-License-Identifier: Apache-2.0 */
/* launch_cxx.h - hd_launch in C++ kernel files: launches a function, an instance of a template or a
   closure of the same file, without HD_DECLARE and HD_DEFINE. Included by kernel.h.

   The kernel is the argument of an overloaded function, which thus learns its parameters:
     a function whose name is not overloaded   void (*)(P...); arguments are converted to P
     an overloaded or undeduced name           void (*)(A...), selected by the arguments' types A
     an object with operator()                 its type F; it becomes the kernel's first argument
   The backend's dialect defines
     HD_LAUNCH_CALL_(kernel)   an object whose type is different at each use
     hd_function_kernel_<Call, P...>::handle(kernel, place)
     hd_closure_kernel_<F, A...>::handle(place)
                               the handle of such a kernel; Call is the type of the object above
     hd_closure_takes_<F, A...>   whether an object of type F can be called with arguments A */
#ifndef HEDDLE_DETAIL_LAUNCH_CXX_H
#define HEDDLE_DETAIL_LAUNCH_CXX_H

#include <type_traits>

/* Where a launch is, and how its kernel is written there. */
struct hd_launch_place_ {
    const char *kernel, *file;
    int line;
};

/* Copies the types of a parameter pack P from the compiler's name of a function. */
static inline HD_UNUSED_ const char *hd_launch_types_of_(const char *function, char *text)
{
    const char *pack = __builtin_strstr(function, "P = ");
    const char *from = pack ? pack + 4 : function;
    const char *end = __builtin_strrchr(from, *from == '{' ? '}' : '>');

    if (end)
        __builtin_memcpy(text, from + 1, (size_t)(end - from - 1));
    return text;
}

/* The types of a parameter pack as text, "float *, int". Written once, by the first thread. */
template <class... P> static inline const char *hd_launch_types_()
{
    static char text[sizeof __PRETTY_FUNCTION__];
    static const char *const types = sizeof...(P) == 0
                                         ? text
                                         : hd_launch_types_of_(__PRETTY_FUNCTION__, text);
    return types;
}

/* How a kernel is called in messages: as it is written at the launch, without parentheses around
   it; a lambda written there by its place. */
static inline HD_UNUSED_ const char *hd_launch_name_(hd_launch_place_ at, char *text, size_t size)
{
    const char *slash = __builtin_strrchr(at.file, '/');
    const size_t length = __builtin_strlen(at.kernel);

    if (at.kernel[0] == '[') {
        __builtin_snprintf(text, size, "lambda at %s:%d", slash ? slash + 1 : at.file, at.line);
        return text;
    }
    if (at.kernel[0] != '(' || length < 2 || length - 1 > size)
        return at.kernel;
    __builtin_memcpy(text, at.kernel + 1, length - 2);
    text[length - 2] = 0;
    return text;
}

#include <heddle/backend/launch_cxx.h>

/* Overloads are tried in descending order. */
template <int n> struct hd_launch_rank_ : hd_launch_rank_<n - 1> {
};
template <> struct hd_launch_rank_<0> {
};

template <class Call, class... P, class... A>
static inline hd_status hd_launch_in_cxx_(hd_launch_rank_<1>, const Call &, hd_launch_place_ at,
                                          void (*kernel)(P...), hd_launch_config config,
                                          const A &...arguments)
{
    static_assert(sizeof...(A) == sizeof...(P),
                  "hd_launch: the number of arguments differs from the kernel's parameters (give "
                  "every argument, also those with a default)");
    if constexpr (sizeof...(A) == sizeof...(P)) {
        constexpr bool converts = (std::is_convertible_v<const A &, P> && ...);
        static_assert(converts, "hd_launch: an argument does not convert to the type of the "
                                "kernel's parameter");
        static_assert((std::is_trivially_copyable_v<P> && ...),
                      "hd_launch: the kernel's parameters must be values that can be copied byte "
                      "by byte: no references, no classes with copy constructors or destructors");
        if constexpr (converts) {
            const auto submit = [&](P... values) {
                void *addresses[] = {(void *)&values..., nullptr};
                return hd_launch_kernel(hd_function_kernel_<Call, P...>::handle(kernel, at), config,
                                        addresses, at.file, at.line);
            };
            return submit(static_cast<P>(arguments)...);
        }
    }
    return HD_ERR_ARGUMENT;
}

template <class Call, class F, class... A, class = std::enable_if_t<std::is_class_v<F>>>
static inline hd_status hd_launch_in_cxx_(hd_launch_rank_<1>, const Call &, hd_launch_place_ at,
                                          const F &closure, hd_launch_config config, A... arguments)
{
    constexpr bool callable = hd_closure_takes_<F, A...>;
    static_assert(callable, "hd_launch: the closure cannot be called with these arguments: their "
                            "number or types differ from its parameters");
    static_assert(std::is_trivially_copyable_v<F> && (std::is_trivially_copyable_v<A> && ...),
                  "hd_launch: a closure and its arguments are copied byte by byte: capture values "
                  "and pointers, no references, no containers");
    if constexpr (callable) {
        void *addresses[] = {(void *)&closure, (void *)&arguments..., nullptr};
        return hd_launch_kernel(hd_closure_kernel_<F, A...>::handle(at), config, addresses, at.file,
                                at.line);
    }
    return HD_ERR_ARGUMENT;
}

template <class Call, class... A>
static inline hd_status hd_launch_in_cxx_(hd_launch_rank_<0>, const Call &call, hd_launch_place_ at,
                                          void (*kernel)(std::decay_t<A>...),
                                          hd_launch_config config, const A &...arguments)
{
    return hd_launch_in_cxx_(hd_launch_rank_<1>(), call, at, kernel, config, arguments...);
}

template <class Call, class... P>
static inline const hd_kernel *hd_kernel_in_cxx_(const Call &, hd_launch_place_ at,
                                                 void (*kernel)(P...))
{
    return hd_function_kernel_<Call, P...>::handle(kernel, at);
}

#define HD_LAUNCH_PLACE_(kernel)                                                                   \
    hd_launch_place_                                                                               \
    {                                                                                              \
#kernel, __FILE__, __LINE__                                                                \
    }

#undef hd_launch
/** In a C++ kernel file: launches a kernel of the file, an instance of a template or a closure.
 *
 *  @param kernel  A function declared with HD_KERNEL, `name<types>` of a template (in parentheses
 *                 if it contains a comma), or an object with operator(), which is copied to the
 *                 device. Wrong arguments do not compile.
 *  @return As hd_launch() in C.
 */
#define hd_launch(kernel, ...)                                                                     \
    hd_launch_in_cxx_(hd_launch_rank_<1>(), HD_LAUNCH_CALL_(kernel), HD_LAUNCH_PLACE_(kernel),     \
                      kernel, __VA_ARGS__)

/** In a C++ kernel file: the handle of a kernel of the file, for attribute and occupancy calls.
 *
 *  @param kernel  A function declared with HD_KERNEL, not overloaded, or an instance of a template
 *                 (in parentheses if it contains a comma).
 */
#define hd_kernel_of_function(kernel)                                                              \
    hd_kernel_in_cxx_(HD_LAUNCH_CALL_(kernel), HD_LAUNCH_PLACE_(kernel), kernel)

#endif
