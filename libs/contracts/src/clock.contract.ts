/**
 * The key-value bucket and key that store the sandbox clock's offset from real time, in milliseconds. The offset
 * only increases.
 */
export const clockBucket = 'CLOCK';
export const clockKey = 'offset-ms';
/**
 * The header with the sandbox's time, as an ISO instant, on every HTTP answer and every notification of a sandbox
 * (contract 13).
 */
export const clockHeader = 'x-sandbox-clock';
