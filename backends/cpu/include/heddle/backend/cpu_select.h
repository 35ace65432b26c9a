/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_select.h - the differences between C and C++ on the CPU, in one place: functions selected by
   the type of an expression (_Generic in C), types of macro variables, source locations. Included
   by dialect.h. */
#ifndef HEDDLE_BACKEND_CPU_SELECT_H
#define HEDDLE_BACKEND_CPU_SELECT_H

/* HD_CPU_SELECT_(x, HD_CPU_CASE_(type, function), ...): the function for the type of x, without
   qualifiers; x is not evaluated. HD_CPU_FLOAT_CASE_ is for functions of the C library, which C++
   overloads.
   HD_CPU_AUTO_: the type of a variable is that of its initial value.
   HD_CPU_TYPE_(x): the type of x without qualifiers.
   HD_CPU_SITE_(own): the source location that was passed to this function, or else `own`. */
#ifdef __cplusplus

#include <type_traits>

#define HD_CPU_SELECT_(x, ...) hd_cpu_select_((__typeof__((x)) *)nullptr, __VA_ARGS__)
#define HD_CPU_CASE_(type, function) hd_cpu_case_<type>(function)
#define HD_CPU_FLOAT_CASE_(type, function) hd_cpu_float_case_<type>(function)
#define HD_CPU_AUTO_ auto
#define HD_CPU_TYPE_(x) __typeof__(hd_cpu_plain_((__typeof__((x)) *)nullptr))
#define HD_CPU_SITE_(own) hd_cpu_site_of_(hd_site_, own)

template <class T> T hd_cpu_plain_(const volatile T *);

template <class T, class F> struct hd_cpu_choice_ {
    F function;
};

template <class T, class F>
static inline __attribute__((always_inline)) constexpr hd_cpu_choice_<T, F *>
hd_cpu_case_(F *function)
{
    return {function};
}

template <class T>
static inline __attribute__((always_inline)) constexpr hd_cpu_choice_<T, T (*)(T)>
hd_cpu_float_case_(T (*function)(T))
{
    return {function};
}

template <class T>
static inline __attribute__((always_inline)) constexpr hd_cpu_choice_<T, T (*)(T, T)>
hd_cpu_float_case_(T (*function)(T, T))
{
    return {function};
}

template <class T>
static inline __attribute__((always_inline)) constexpr hd_cpu_choice_<T, T (*)(T, T, T)>
hd_cpu_float_case_(T (*function)(T, T, T))
{
    return {function};
}

/* Unscoped enumerations count as the integers to which they are promoted, as in C. */
template <class T, bool is_enum = std::is_enum_v<T> &&std::is_convertible_v<T, int>>
struct hd_cpu_promoted_ {
    typedef T type;
};
template <class T> struct hd_cpu_promoted_<T, true> {
    typedef decltype(+T()) type;
};

template <class X, class T, class F, class... More>
static inline __attribute__((always_inline)) constexpr auto
hd_cpu_select_(X *x, hd_cpu_choice_<T, F> choice, More... more)
{
    if constexpr (std::is_same_v<typename hd_cpu_promoted_<std::remove_cv_t<X>>::type, T>) {
        return choice.function;
    } else {
        static_assert(sizeof...(More) > 0, "heddle: this function does not support a value of this "
                                           "type; docs/dialect.md lists the types it takes");
        if constexpr (sizeof...(More) > 0)
            return hd_cpu_select_(x, more...);
    }
}

static inline __attribute__((always_inline, unused)) const hd_cpu_place *
hd_cpu_site_of_(void (*)(void), const hd_cpu_place *own)
{
    return own;
}

static inline __attribute__((always_inline, unused)) const hd_cpu_place *
hd_cpu_site_of_(const hd_cpu_place *given, const hd_cpu_place *)
{
    return given;
}

#else

/* Not a function: the compiler's error about its call contains one of these names. */
extern const struct hd_type_not_supported_here_see_docs_dialect {
    int unused;
} hd_type_not_supported_here_see_docs_dialect;
#define HD_CPU_SELECT_(x, ...)                                                                     \
    _Generic((x), __VA_ARGS__, default : hd_type_not_supported_here_see_docs_dialect)
#define HD_CPU_CASE_(type, function)                                                               \
    type:                                                                                          \
    function
#define HD_CPU_FLOAT_CASE_(type, function)                                                         \
    type:                                                                                          \
    function
#define HD_CPU_AUTO_ __auto_type
#define HD_CPU_TYPE_(x) __typeof__(((void)0, (x)))
#define HD_CPU_SITE_(own) _Generic(hd_site_, const hd_cpu_place * : hd_site_, default : own)

#endif
#endif
