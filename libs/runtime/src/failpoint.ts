const wanted = process.env['FAILPOINT'];

/** Ends the process at once, as a power cut would, where `FAILPOINT` names this place. For the fault tests. */
export const failpoint = (name: string): void => {
  if (wanted === name) process.kill(process.pid, 'SIGKILL');
};
