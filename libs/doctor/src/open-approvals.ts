/** The text that the console and the `xs2a` command show if no payment, consent or basket waits for the approval of a PSU. */
export const noApprovals =
  'Nothing waits for this PSU. What a TPP created without a PSU-ID is found once the PSU has signed in with its link.';
