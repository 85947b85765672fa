/** The fixed conversion rate: one euro is this many leva. */
export const levaPerEuro = '1.95583';

/** {@link levaPerEuro} in units of 10^-5. */
const levaPerEuroScaled = 195_583n;
const scale = 100_000n;

/**
 * Converts leva into euro at the fixed rate, rounded to the nearest cent, half a cent away from zero (contract
 * E6.2). Both amounts are in minor units.
 * @throws RangeError if the amount is not a safe integer.
 */
export const levToEuro = (stotinki: number): number => {
  if (!Number.isSafeInteger(stotinki)) throw new RangeError('the amount is not exact');
  const magnitude = BigInt(Math.abs(stotinki));
  const cents = Number((2n * magnitude * scale + levaPerEuroScaled) / (2n * levaPerEuroScaled));
  return stotinki < 0 && cents > 0 ? -cents : cents;
};
