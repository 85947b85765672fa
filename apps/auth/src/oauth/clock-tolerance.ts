/**
 * Max difference between now and the times in client assertions and DPoP proofs, in either direction, in seconds
 * (contract 4).
 */
export const clockTolerance = 60;
