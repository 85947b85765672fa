/** Max distance of the times in client assertions and DPoP proofs from now, either way, in seconds (contract 4). */
export const clockTolerance = 60;
