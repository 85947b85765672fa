/** Only the settings that every service has. */
export const config = {};
