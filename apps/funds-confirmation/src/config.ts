/** Only the settings shared by all services. */
export const config = {};
