/**
 * The maximum difference, in seconds and in either direction, between now and the times in client assertions and
 * DPoP proofs (contract 4).
 */
export const clockTolerance = 60;
