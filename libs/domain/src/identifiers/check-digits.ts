/** The sum of the digits of a text, each multiplied by its weight. Digits without a weight are left out. */
export const weightedSum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
