/** Injection tokens of values that the service creates at startup. */
export const ADMISSION = Symbol('ADMISSION');
export const SHARED_TPPS = Symbol('SHARED_TPPS');
export const SIGNING_KEYS = Symbol('SIGNING_KEYS');
export const OTP_CODES = Symbol('OTP_CODES');
export const PSU_NOTICES = Symbol('PSU_NOTICES');
