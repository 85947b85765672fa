import { bookingChecks } from './booking-checks.js';
import { payeeChecks } from './payee-checks.js';
import { instantChecks } from './instant-checks.js';
import { readingChecks } from './reading-checks.js';
import type { BankCheck } from './sample.js';

/**
 * Every check of what our services require from a core bank. The tests run them against every implementation, and
 * `xs2a adapter check` runs them against a bank's own implementation.
 */
export const bankChecks: readonly BankCheck[] = [
  ...readingChecks,
  ...bookingChecks,
  ...instantChecks,
  ...payeeChecks,
];
