const isoDate = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

/**
 * Easter Sunday of the Western churches in a year of the Gregorian calendar, as an ISO date. Uses the "anonymous"
 * algorithm of 1876 (J. Meeus, Astronomical Algorithms, chapter 8).
 */
export function westernEaster(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const yearOfCentury = year % 100;
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - moon - (yearOfCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * moon + 22 * weekday) / 451);
  const days = moon + weekday - 7 * late + 114;
  return isoDate(year, Math.floor(days / 31), (days % 31) + 1);
}

/**
 * Easter Sunday of the Orthodox churches that use the Julian calendar, as an ISO date of the Gregorian calendar (Meeus, the
 * same chapter).
 */
export function orthodoxEaster(year: number): string {
  const moon = (19 * (year % 19) + 15) % 30;
  const weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  const days = moon + weekday + 114;
  const century = Math.floor(year / 100);
  // The number of days by which the Julian calendar is behind, from March of the century's first year on.
  const behind = century - Math.floor(century / 4) - 2;
  return isoDate(year, Math.floor(days / 31), (days % 31) + 1 + behind);
}
