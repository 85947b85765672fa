/** Nothing beside what every service reads. */
export const config = {};
