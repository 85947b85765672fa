/** Only the settings common to all services. */
export const config = {};
