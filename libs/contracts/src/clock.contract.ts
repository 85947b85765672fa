/** Key-value bucket and key that carry the sandbox clock's offset from real time, in milliseconds, forward only. */
export const clockBucket = 'CLOCK';
export const clockKey = 'offset-ms';
