/** The latest attempts of a notification that are kept. */
const maxKept = 20;

/**
 * SQL for the attempts of the notification `n` with one more, which ends now. `members` is SQL for its other names and
 * values. Null outside the sandbox, where no attempts are kept.
 */
export const withAttempt = (members: string): string => `
  CASE WHEN jsonb_array_length(n.tries) < ${maxKept} THEN n.tries ELSE n.tries - 0 END
    || jsonb_build_object('time', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), ${members})`;
