const units = [
  { suffix: 'd', ms: 86_400_000 },
  { suffix: 'h', ms: 3_600_000 },
  { suffix: 'min', ms: 60_000 },
] as const;

/** Formats a duration in its two largest units, for operators: `830 ms`, `4.2 s`, `5 min 12 s`, `2 d 3 h`. */
export const durationText = (ms: number): string => {
  if (ms < 0) return `-${durationText(-ms)}`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((Math.floor(ms / 100) / 10).toFixed(1))} s`;
  const at = units.findIndex((unit) => ms >= unit.ms);
  const unit = units[at] ?? units[2];
  const smaller = units[at + 1] ?? { suffix: 's', ms: 1000 };
  const rest = Math.floor((ms % unit.ms) / smaller.ms);
  return `${Math.floor(ms / unit.ms)} ${unit.suffix}${rest === 0 ? '' : ` ${rest} ${smaller.suffix}`}`;
};
