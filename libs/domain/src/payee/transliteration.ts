/** The Streamlined System, by which Bulgaria writes names in Latin letters (Transliteration Act, 2009). */
const streamlined: Readonly<Record<string, string>> = {
  А: 'A', Б: 'B', В: 'V', Г: 'G', Д: 'D', Е: 'E', Ж: 'ZH', З: 'Z', И: 'I', Й: 'Y',
  К: 'K', Л: 'L', М: 'M', Н: 'N', О: 'O', П: 'P', Р: 'R', С: 'S', Т: 'T', У: 'U',
  Ф: 'F', Х: 'H', Ц: 'TS', Ч: 'CH', Ш: 'SH', Щ: 'SHT', Ъ: 'A', Ь: 'Y', Ю: 'YU', Я: 'YA',
}; // prettier-ignore
const finalIya = /(И)(Я)(?!\p{L})/giu;

/** The letters with which an initial begins that is one Cyrillic letter and several Latin ones: `Ж.` is `Zh.`. */
export const digraphs: ReadonlySet<string> = new Set(
  Object.values(streamlined).filter((letters) => letters.length > 1),
);

/**
 * Returns the text with its Cyrillic letters in Latin ones, in the case of the original: `Щерева` is `Shtereva`,
 * `ЩЕРЕВА` is `SHTEREVA`. Other characters are unchanged.
 */
export const transliterate = (text: string): string => {
  const composed = text.normalize('NFKC');
  const withIa = composed.replace(finalIya, (_, i: string, ya: string) => i + (ya === 'Я' ? 'А' : 'а'));
  return withIa.replace(/\p{Script=Cyrillic}/gu, (letter, at: number) => {
    const upper = letter.toUpperCase();
    const base = streamlined[upper] ?? streamlined[upper.normalize('NFD').charAt(0)];
    if (base === undefined) return letter;
    if (letter !== upper) return base.toLowerCase();
    const isAmongCapitals = [withIa[at - 1], withIa[at + 1]].some(isCapital);
    return isAmongCapitals ? base : base.charAt(0) + base.slice(1).toLowerCase();
  });
};

const isCapital = (letter: string | undefined): boolean => letter !== undefined && /\p{Lu}/u.test(letter);
