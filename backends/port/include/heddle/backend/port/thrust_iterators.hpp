/* SPDX-License-Identifier: Apache-2.0 */
/* thrust_iterators.hpp - Thrust's iterators that compute what they point to, tuples and
   functors. */
#ifndef HEDDLE_BACKEND_PORT_THRUST_ITERATORS_HPP
#define HEDDLE_BACKEND_PORT_THRUST_ITERATORS_HPP

#include <complex>
#include <functional>
#include <iterator>
#include <random>
#include <tuple>

namespace thrust
{

/* ---- functors -------------------------------------------------------------------------------- */

template <class T = void> using plus = std::plus<T>;
template <class T = void> using minus = std::minus<T>;
template <class T = void> using multiplies = std::multiplies<T>;
template <class T = void> using divides = std::divides<T>;
template <class T = void> using modulus = std::modulus<T>;
template <class T = void> using negate = std::negate<T>;
template <class T = void> using less = std::less<T>;
template <class T = void> using less_equal = std::less_equal<T>;
template <class T = void> using greater = std::greater<T>;
template <class T = void> using greater_equal = std::greater_equal<T>;
template <class T = void> using equal_to = std::equal_to<T>;
template <class T = void> using not_equal_to = std::not_equal_to<T>;
template <class T = void> using logical_and = std::logical_and<T>;
template <class T = void> using logical_or = std::logical_or<T>;
template <class T = void> using logical_not = std::logical_not<T>;
template <class T = void> using bit_and = std::bit_and<T>;
template <class T = void> using bit_or = std::bit_or<T>;
template <class T = void> using bit_xor = std::bit_xor<T>;
template <class T = void> struct minimum {
    T operator()(const T &a, const T &b) const
    {
        return b < a ? b : a;
    }
};
template <class T = void> struct maximum {
    T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};
template <> struct minimum<void> {
    template <class A, class B> std::common_type_t<A, B> operator()(const A &a, const B &b) const
    {
        return b < a ? b : a;
    }
};
template <> struct maximum<void> {
    template <class A, class B> std::common_type_t<A, B> operator()(const A &a, const B &b) const
    {
        return a < b ? b : a;
    }
};
template <class T = void> struct identity {
    T operator()(const T &a) const
    {
        return a;
    }
};
template <class A, class R> struct unary_function {
    typedef A argument_type;
    typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};

/* ---- tuples, pairs, complex numbers ---------------------------------------------------------- */

template <class... T> using tuple = std::tuple<T...>;
template <size_t i, class T> using tuple_element = std::tuple_element<i, T>;
template <class A, class B> using pair = std::pair<A, B>;
template <class T> using complex = std::complex<T>;
using std::abs;
using std::advance;
using std::arg;
using std::conj;
using std::cos;
using std::distance;
using std::exp;
using std::get;
using std::log;
using std::make_pair;
using std::make_tuple;
using std::norm;
using std::polar;
using std::pow;
using std::sin;
using std::sqrt;
using std::swap;
using std::tie;

/* ---- random numbers -------------------------------------------------------------------------- */

typedef std::minstd_rand default_random_engine, minstd_rand;
template <class T = double> struct uniform_real_distribution {
    T low, high;
    explicit uniform_real_distribution(T a = 0, T b = 1) : low(a), high(b)
    {
    }
    template <class G> T operator()(G &generator) const
    {
        const T steps = (T)(G::max() - G::min()) + 1;
        return (T)(generator() - G::min()) / steps * (high - low) + low;
    }
};

/* ---- iterators ------------------------------------------------------------------------------- */

/* The operators of a random-access iterator over Self::at(), move() and from(). */
template <class Self, class V, class R = V> struct hd_iterator_ {
    typedef V value_type;
    typedef R reference;
    typedef void pointer;
    typedef ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;
    const Self &self() const
    {
        return *static_cast<const Self *>(this);
    }
    Self &self()
    {
        return *static_cast<Self *>(this);
    }
    R operator*() const
    {
        return self().at(0);
    }
    R operator[](ptrdiff_t i) const
    {
        return self().at(i);
    }
    Self &operator+=(ptrdiff_t n)
    {
        self().move(n);
        return self();
    }
    Self &operator-=(ptrdiff_t n)
    {
        return *this += -n;
    }
    Self &operator++()
    {
        return *this += 1;
    }
    Self &operator--()
    {
        return *this += -1;
    }
    Self operator++(int)
    {
        Self before = self();
        *this += 1;
        return before;
    }
    Self operator--(int)
    {
        Self before = self();
        *this += -1;
        return before;
    }
    friend Self operator+(Self it, ptrdiff_t n)
    {
        return it += n;
    }
    friend Self operator+(ptrdiff_t n, Self it)
    {
        return it += n;
    }
    friend Self operator-(Self it, ptrdiff_t n)
    {
        return it -= n;
    }
    friend ptrdiff_t operator-(const Self &a, const Self &b)
    {
        return a.from(b);
    }
    friend bool operator==(const Self &a, const Self &b)
    {
        return a.from(b) == 0;
    }
    friend bool operator!=(const Self &a, const Self &b)
    {
        return a.from(b) != 0;
    }
    friend bool operator<(const Self &a, const Self &b)
    {
        return a.from(b) < 0;
    }
    friend bool operator>(const Self &a, const Self &b)
    {
        return a.from(b) > 0;
    }
    friend bool operator<=(const Self &a, const Self &b)
    {
        return a.from(b) <= 0;
    }
    friend bool operator>=(const Self &a, const Self &b)
    {
        return a.from(b) >= 0;
    }
};

template <class T> struct counting_iterator : hd_iterator_<counting_iterator<T>, T> {
    T first;
    counting_iterator(T value = T()) : first(value)
    {
    }
    T at(ptrdiff_t i) const
    {
        return (T)(first + (T)i);
    }
    void move(ptrdiff_t n)
    {
        first = (T)(first + (T)n);
    }
    ptrdiff_t from(const counting_iterator &other) const
    {
        return (ptrdiff_t)first - (ptrdiff_t)other.first;
    }
};
template <class T> inline counting_iterator<T> make_counting_iterator(T value)
{
    return counting_iterator<T>(value);
}

template <class T> struct constant_iterator : hd_iterator_<constant_iterator<T>, T> {
    T value;
    ptrdiff_t place;
    constant_iterator(T v = T(), ptrdiff_t i = 0) : value(v), place(i)
    {
    }
    T at(ptrdiff_t) const
    {
        return value;
    }
    void move(ptrdiff_t n)
    {
        place += n;
    }
    ptrdiff_t from(const constant_iterator &other) const
    {
        return place - other.place;
    }
};
template <class T> inline constant_iterator<T> make_constant_iterator(T value)
{
    return constant_iterator<T>(value);
}

template <class F, class I,
          class V = std::decay_t<
              std::invoke_result_t<const F &, typename std::iterator_traits<I>::reference>>>
struct transform_iterator : hd_iterator_<transform_iterator<F, I, V>, V> {
    I base;
    F function;
    transform_iterator(I from = I(), F f = F()) : base(from), function(f)
    {
    }
    V at(ptrdiff_t i) const
    {
        return function(base[i]);
    }
    void move(ptrdiff_t n)
    {
        base += n;
    }
    ptrdiff_t from(const transform_iterator &other) const
    {
        return base - other.base;
    }
};
template <class I, class F> inline transform_iterator<F, I> make_transform_iterator(I from, F f)
{
    return transform_iterator<F, I>(from, f);
}

template <class E, class I>
struct permutation_iterator
    : hd_iterator_<permutation_iterator<E, I>, typename std::iterator_traits<E>::value_type,
                   typename std::iterator_traits<E>::reference> {
    E elements;
    I index;
    permutation_iterator(E e = E(), I i = I()) : elements(e), index(i)
    {
    }
    typename std::iterator_traits<E>::reference at(ptrdiff_t i) const
    {
        return elements[index[i]];
    }
    void move(ptrdiff_t n)
    {
        index += n;
    }
    ptrdiff_t from(const permutation_iterator &other) const
    {
        return index - other.index;
    }
};
template <class E, class I> inline permutation_iterator<E, I> make_permutation_iterator(E e, I i)
{
    return permutation_iterator<E, I>(e, i);
}

/* What a zip iterator points to: a tuple of references that may be swapped, for sorts. */
template <class... R> struct hd_zip_reference_ : std::tuple<R...> {
    using std::tuple<R...>::tuple;
    hd_zip_reference_(const hd_zip_reference_ &) = default;
    template <class Tuple> hd_zip_reference_ &operator=(Tuple &&other)
    {
        std::tuple<R...>::operator=(std::forward<Tuple>(other));
        return *this;
    }
    hd_zip_reference_ &operator=(const hd_zip_reference_ &other)
    {
        std::tuple<R...>::operator=(other);
        return *this;
    }
    friend void swap(hd_zip_reference_ a, hd_zip_reference_ b)
    {
        const std::tuple<std::decay_t<R>...> kept(a);
        a = b;
        b = kept;
    }
};

template <class Tuple> struct zip_iterator;
template <class... I>
struct zip_iterator<std::tuple<I...>>
    : hd_iterator_<zip_iterator<std::tuple<I...>>,
                   std::tuple<typename std::iterator_traits<I>::value_type...>,
                   hd_zip_reference_<typename std::iterator_traits<I>::reference...>> {
    std::tuple<I...> parts;
    zip_iterator(std::tuple<I...> all = {}) : parts(all)
    {
    }
    hd_zip_reference_<typename std::iterator_traits<I>::reference...> at(ptrdiff_t i) const
    {
        return std::apply(
            [i](auto... part) {
                return hd_zip_reference_<typename std::iterator_traits<I>::reference...>(
                    part[i]...);
            },
            parts);
    }
    void move(ptrdiff_t n)
    {
        std::apply([n](auto &...part) { ((part += n), ...); }, parts);
    }
    ptrdiff_t from(const zip_iterator &other) const
    {
        return std::get<0>(parts) - std::get<0>(other.parts);
    }
    const std::tuple<I...> &get_iterator_tuple() const
    {
        return parts;
    }
};
template <class... I> inline zip_iterator<std::tuple<I...>> make_zip_iterator(std::tuple<I...> all)
{
    return zip_iterator<std::tuple<I...>>(all);
}
template <class I, class... J>
inline zip_iterator<std::tuple<I, J...>> make_zip_iterator(I first, J... more)
{
    return zip_iterator<std::tuple<I, J...>>(std::make_tuple(first, more...));
}

} // namespace thrust

#endif
