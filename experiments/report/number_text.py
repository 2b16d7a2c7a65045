"""Numbers as people read them on the page. None, which stands for what is no number, is a dash."""
import math

NO_NUMBER = "–"
MAX_DECIMALS = 12
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def exponent_of(value, digits):
    """Position of the first digit after rounding: 0 for 9.4, 1 for 9.99 with two digits."""
    return int(f"{value:.{digits - 1}e}".partition("e")[2])


def needs_power(exponent):
    return not -3 <= exponent <= 5


def power_of_ten(exponent):
    return "10" + str(exponent).translate(SUPERSCRIPTS)


def fixed(value, decimals, sign=""):
    """ "92.689", or with the sign "+" "+92.689" """
    return NO_NUMBER if value is None else f"{value:{sign}.{min(max(decimals, 0), MAX_DECIMALS)}f}".replace("-", "−")


def rounded(value, digits=3):
    """ "0.0123", "4.93·10⁻⁴": so many significant digits """
    if value is None or value == 0:
        return NO_NUMBER if value is None else "0"
    exponent = exponent_of(value, digits)
    if not needs_power(exponent):
        return fixed(value, digits - 1 - exponent)
    return f"{fixed(value * 10.0**-exponent, digits - 1)}·{power_of_ten(exponent)}"


def fixed_spread(spread, decimals):
    """ "92.69 ± 0.21"; the mean alone for a single trial """
    mean, deviation = spread["mean"], spread["std"]
    return fixed(mean, decimals) if None in (mean, deviation) else f"{fixed(mean, decimals)} ± {fixed(deviation, decimals)}"


def rounded_spread(spread):
    """ "44.3 ± 5.1", "(4.93 ± 0.31)·10⁻⁴": as many digits as the deviation has two of """
    mean, deviation = spread["mean"], spread["std"]
    if None in (mean, deviation):
        return rounded(mean)
    if deviation == 0:
        return rounded(mean, 4) + " ± 0"
    exponent = exponent_of(max(abs(mean), deviation), 3)
    power = exponent if needs_power(exponent) else 0
    scale = 10.0**-power
    text = fixed_spread({"mean": mean * scale, "std": deviation * scale}, 1 - exponent_of(deviation * scale, 2))
    return text if power == 0 else f"({text})·{power_of_ten(power)}"


def standard_error(spread):
    return None if spread["std"] is None else spread["std"] / math.sqrt(spread["n_trials"])


def grouped(count):
    """ "271 617", with thin spaces """
    return f"{count:,}".replace(",", "\u202f") if count >= 10000 else str(count)


def duration(seconds):
    """ "12 µs", "3.4 s", "5 min 20 s", "2 h 5 min" """
    if seconds is None or seconds < 0:
        return NO_NUMBER
    if 0 < seconds < 1e-3:
        return rounded(seconds * 1e6, 2) + " µs"
    if 0 < seconds < 0.1:
        return rounded(seconds * 1e3, 2) + " ms"
    if seconds < 99.5:
        return rounded(seconds, 2 if seconds < 9.95 else 3) + " s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{grouped(minutes // 60)} h {minutes % 60} min"
