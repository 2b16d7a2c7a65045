// Gaussian expectations of half waves, P, Q, S and their second moments, against 60-digit values and against quadrature.
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "askrff/measure.hpp"

namespace askrff::test {
namespace {

// Computed with mpmath at 90 digits: theta series for S and, from s = 0.6 on, for Q; integrals of the lobes for smaller s (both agree to
// 1e-25 where they overlap). Two s each around the switches 0.18 and 0.6 of the library. 0 stands for a Q below the smallest double.
struct Reference {
  double s;
  long double cos_positive, cos_negative, log_cos_negative, sin_positive, cos_positive_moment, cos_negative_moment, sin_positive_moment;
};
constexpr Reference references[] = {
    {0.001, 9.999995000001249999791e-1L, 0, -1.233722402359985798924e+6L, 3.989421474206991485819e-4L, 9.99999e-1L,
     2.467405100269907848853e+6L, 1.99999933333337777778L},
    {0.003, 9.999955000101249848123e-1L, 0, -1.370963953006956106827e+5L, 1.196823250730237302473e-3L, 9.999909999999999999996e-1L,
     2.741596777861527798019e+5L, 1.999994000003600001543L},
    {0.01, 9.99950001249979166925e-1L, 0, -1.235195009025511548139e+4L, 3.989289825913770260141e-3L, 9.998999999999999999958e-1L,
     2.467801075960531013824e+4L, 1.999933333777779894163L},
    {0.05, 9.987507809245808663625e-1L, 1.947857956129955091846e-219L, -5.035994050809320576262e+2L, 1.993049973338492081054e-2L,
     9.974999999999999997224e-1L, 9.909543935039561560565e+2L, 1.998333611144174380443L},
    {0.1, 9.950124791926823128002e-1L, 8.424451854118562417178e-58L, -1.314187969813585265609e+2L, 3.976151286200647541734e-2L,
     9.899999999999999988898e-1L, 2.5071630099186837921e+2L, 1.99333777989276682099L},
    {0.13, 9.915856009035505398566e-1L, 1.378008968776595063126e-35L, -8.026983857367516234414e+1L, 5.157132283905094227314e-2L,
     9.830999999999999988454e-1L, 1.499603843159562694751e+2L, 1.988746037315040995883L},
    {0.1799999, 9.839305319832528535204e-1L, 5.275190233269558065651e-20L, -4.438868711798998115553e+1L, 7.103903040990905193238e-2L,
     9.676000359999900076748e-1L, 8.00805834344232639587e+1L, 1.978446751723369379392L},
    {0.1800001, 9.839304965617543386917e-1L, 5.275653769939226037611e-20L, -4.438859925076915498615e+1L, 7.103910764095864952386e-2L,
     9.675999639999900056048e-1L, 8.00804140481799483194e+1L, 1.97844670393120787774L},
    {0.3, 9.559974906260399863286e-1L, 8.792940076130593744576e-9L, -1.854931670152436654657e+1L, 1.161560095483432798759e-1L,
     9.100002788622076410761e-1L, 3.122882037415794926999e+1L, 1.940361533473812594608L},
    {0.45, 9.03761100824932468244e-1L, 5.402295173641700236348e-5L, -9.826101569544709874076L, 1.678830444860083015767e-1L,
     7.983978951804044567109e-1L, 1.581857364712394425978e+1L, 1.866839829639406250922L},
    {0.5999999, 8.368824414285224248123e-1L, 1.612179901040406939436e-3L, -6.430168039982952981882L, 2.126073897926032809705e-1L,
     6.585834081753292206828e-1L, 1.028658333810817823497e+1L, 1.765858735548336180461L},
    {0.6000001, 8.368823461866511435939e-1L, 1.612184891594497955481e-3L, -6.430164944455981331866L, 2.126074440683470588742e-1L,
     6.585832189406592177799e-1L, 1.028657849125815508804e+1L, 1.765858583441272616674L},
    {0.8, 7.401323026692534578827e-1L, 1.398326559556255882565e-2L, -4.269893978927842666963L, 2.590547276313862018341e-1L,
     4.854728985632635443829e-1L, 7.001263065594933471317L, 1.593097787822562927536L},
    {1.0, 6.502800179101380648021e-1L, 4.374935819750464119827e-2L, -3.129278336057438251139L, 2.895766093615179837669e-1L,
     3.573327105595019421607e-1L, 5.311308119618649025208L, 1.39749055050055735945L},
    {1.19, 5.771066918216892845149e-1L, 8.450285282926849072332e-2L, -2.470969983895790285464L, 3.058139796113625985258e-1L,
     2.730018261434686220664e-1L, 4.290075731338141651615L, 1.231482169250936928829L},
    {1.21, 5.701222009069887291926e-1L, 8.920011232680232128129e-2L, -2.416872980127881917952L, 3.069579207032396412067e-1L,
     2.658933668378549996911e-1L, 4.201650009644861396524L, 1.216602185096993033255L},
    {1.5, 4.829935214990544760371e-1L, 1.5834105414070474624e-1L, -1.843004001810556960778L, 3.159524832549409001714e-1L,
     1.998844583851644780589e-1L, 3.172635709497765872511L, 1.067151375400963512651L},
    {1.75, 4.269066696303337565156e-1L, 2.10641502800446462128e-1L, -1.557597629370015198137L, 3.178456861502476464521e-1L,
     2.109692562280119756327e-1L, 2.545135132582216741685L, 1.017890601302442888049L},
    {2.0, 3.860487151827008559103e-1L, 2.507134319460881640163e-1L, -1.38344469748652045901L, 3.182386988031857581444e-1L,
     2.959190022579798032656e-1L, 2.075058349652156401514L, 1.003579068460208936328L},
    {3.0, 3.238643876848139041998e-1L, 3.127553911465715977036e-1L, -1.162333891904960923293L, 3.183098829518885921238e-1L,
     8.456434153568737313307e-1L, 1.159838549514203989385L, 1.00000036551951758434L},
    {3.14159265, 3.219058284699714583932e-1L, 3.147139450330374238325e-1L, -1.156091163745333652929L, 3.183098856160769019627e-1L,
     8.897486736706069115259e-1L, 1.112770661348890528999L, 1.000000070410760823311L},
    {5.0, 3.183117495103767108733e-1L, 3.183080228572046322023e-1L, -1.144735739679647744721L, 3.183098861837906715377e-1L,
     9.998536555288246913511e-1L, 1.000146346184531707329L, 1.000000000000000000013L},
    {8.0, 3.183098861837970036205e-1L, 3.18309886183784339455e-1L, -1.144729885849420066968L, 3.183098861837906715378e-1L,
     9.999999999987268592175e-1L, 1.000000000001273140782L, 1.0L},
    {12.0, 3.183098861837906715378e-1L, 3.183098861837906715378e-1L, -1.144729885849400174143L, 3.183098861837906715378e-1L, 1.0L, 1.0L,
     1.0L},
    {30.0, 3.183098861837906715378e-1L, 3.183098861837906715378e-1L, -1.144729885849400174143L, 3.183098861837906715378e-1L, 1.0L, 1.0L,
     1.0L},
    {36.5, 3.183098861837906715378e-1L, 3.183098861837906715378e-1L, -1.144729885849400174143L, 3.183098861837906715378e-1L, 1.0L, 1.0L,
     1.0L},
    {100.0, 3.183098861837906715378e-1L, 3.183098861837906715378e-1L, -1.144729885849400174143L, 3.183098861837906715378e-1L, 1.0L, 1.0L,
     1.0L},
    {1000.0, 3.183098861837906715378e-1L, 3.183098861837906715378e-1L, -1.144729885849400174143L, 3.183098861837906715378e-1L, 1.0L, 1.0L,
     1.0L},
};

void expect_relative(double value, long double exact, double tolerance) {
  EXPECT_LE(std::fabs(value - exact), tolerance * std::fabs(exact)) << value << " against " << static_cast<double>(exact);
}

TEST(RidgeExpectations, SixtyDigits) {
  for (const Reference& r : references) {
    SCOPED_TRACE(r.s);
    const RidgeExpectations e = ridge_expectations(r.s);
    EXPECT_LE(std::fabs(e.cos_positive - r.cos_positive), 1e-15L);
    EXPECT_LE(std::fabs(e.cos_negative - r.cos_negative), 1e-15L);
    EXPECT_LE(std::fabs(e.sin_positive - r.sin_positive), 1e-15L);
    expect_relative(e.cos_negative, r.cos_negative, 1e-13);
    expect_relative(e.log_cos_negative, r.log_cos_negative, 1e-13);
    expect_relative(e.sin_positive, r.sin_positive, 1e-13);
    expect_relative(e.cos_positive_second_moment, r.cos_positive_moment, 1e-13);
    expect_relative(e.cos_negative_second_moment, r.cos_negative_moment, 1e-13);
    expect_relative(e.sin_positive_second_moment, r.sin_positive_moment, 1e-13);
  }
}

// P - Q = E cos t for every s, also where both are rounded.
TEST(RidgeExpectations, DifferenceIsTheCharacteristicFunction) {
  for (double s = 1e-4; s < 1100; s *= 1.01) {
    const RidgeExpectations e = ridge_expectations(s);
    EXPECT_NEAR(e.cos_positive - e.cos_negative, std::exp(-s * s / 2), 4e-16) << s;
    // E|cos t| and E|sin t| are at most 1, and both tend to 2/π.
    EXPECT_LE(e.cos_positive + e.cos_negative, 1 + 4e-16) << s;
    if (s > 7) {
      EXPECT_NEAR(e.sin_positive, std::numbers::inv_pi, 4e-16) << s;
    }
  }
}

// Nothing jumps at the switches of the series: the slope there is below 1.
TEST(RidgeExpectations, ContinuousAtTheSwitches) {
  for (const double at : {0.18, 0.6}) {
    const RidgeExpectations below = ridge_expectations(std::nextafter(at, 0.0)), above = ridge_expectations(std::nextafter(at, 1.0));
    EXPECT_NEAR(below.cos_positive, above.cos_positive, 5e-16) << at;
    expect_relative(below.cos_negative, above.cos_negative, 1e-13);
    expect_relative(below.sin_positive, above.sin_positive, 5e-15);
    expect_relative(below.cos_negative_second_moment, above.cos_negative_second_moment, 1e-13);
    expect_relative(below.sin_positive_second_moment, above.sin_positive_second_moment, 1e-14);
  }
}

// ∫ z^power f(sz) n(z) dz between the zeros of cos and sin, f one half wave.
template <class Wave>
double by_quadrature(double s, int power, const Wave& wave) {
  const double step = std::fmin(0.25, std::numbers::pi / (2 * s));
  const auto integrand = [&](double z) {
    return std::pow(z, power) * std::fmax(wave(s * z), 0.0) * std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
  };
  // Steps that end on the zeros of both waves: a quarter period over a whole number.
  const double quarter = std::numbers::pi / (2 * s), h = quarter / std::ceil(quarter / step);
  double sum = 0;
  for (double from = 0; from < 13; from += h)
    sum += boost::math::quadrature::gauss<double, 20>::integrate(integrand, from, from + h) +
           boost::math::quadrature::gauss<double, 20>::integrate(integrand, -from - h, -from);
  return sum;
}

TEST(RidgeExpectations, Quadrature) {
  for (const double s : {0.05, 0.17, 0.19, 0.4, 0.59, 0.61, 1.0, 2.3, 7.0, 40.0}) {
    const RidgeExpectations e = ridge_expectations(s);
    const auto cosine = [](double t) { return std::cos(t); };
    const auto minus_cosine = [](double t) { return -std::cos(t); };
    const auto sine = [](double t) { return std::sin(t); };
    EXPECT_NEAR(e.cos_positive, by_quadrature(s, 0, cosine), 1e-13) << s;
    EXPECT_NEAR(e.cos_negative, by_quadrature(s, 0, minus_cosine), 1e-13) << s;
    EXPECT_NEAR(e.sin_positive, by_quadrature(s, 0, sine), 1e-13) << s;
    EXPECT_NEAR(e.cos_positive * e.cos_positive_second_moment, by_quadrature(s, 2, cosine), 1e-12) << s;
    if (e.cos_negative > 0) {
      EXPECT_NEAR(e.cos_negative * e.cos_negative_second_moment, by_quadrature(s, 2, minus_cosine), 1e-12) << s;
    }
    EXPECT_NEAR(e.sin_positive * e.sin_positive_second_moment, by_quadrature(s, 2, sine), 1e-12) << s;
  }
}

TEST(RidgeExpectations, Zero) {
  const RidgeExpectations e = ridge_expectations(0.0);
  EXPECT_EQ(e.cos_positive, 1.0);
  EXPECT_EQ(e.cos_negative, 0.0);
  EXPECT_EQ(e.log_cos_negative, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(e.sin_positive, 0.0);
  EXPECT_EQ(e.cos_positive_second_moment, 1.0);
  EXPECT_EQ(e.sin_positive_second_moment, 2.0);
}

TEST(RidgeExpectations, TinyAndHugeAreFinite) {
  const RidgeExpectations tiny = ridge_expectations(1e-150), huge = ridge_expectations(1e6);
  EXPECT_EQ(tiny.cos_positive, 1.0);
  expect_relative(tiny.sin_positive, 1e-150L / std::sqrt(2 * std::numbers::pi_v<long double>), 1e-15);
  EXPECT_LT(tiny.log_cos_negative, -1e299);
  EXPECT_TRUE(std::isfinite(tiny.log_cos_negative));
  EXPECT_EQ(huge.cos_negative, huge.cos_positive);
  EXPECT_NEAR(huge.cos_negative, std::numbers::inv_pi, 1e-16);
}

TEST(RidgeExpectations, RefusesWhatIsNoDeviation) {
  for (const double s : {-1.0, -1e-300, std::nan(""), HUGE_VAL, -HUGE_VAL}) EXPECT_THROW(ridge_expectations(s), std::invalid_argument) << s;
}

}  // namespace
}  // namespace askrff::test
