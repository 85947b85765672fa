/**
 * The key-value bucket and key that store the sandbox clock's offset from real time, in milliseconds. The offset
 * only increases.
 */
export const clockBucket = 'CLOCK';
export const clockKey = 'offset-ms';
