export const partOf = { 'app.kubernetes.io/part-of': 'xs2a' };
export const nameLabel = (name: string): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/name': name,
});
export const labels = (name: string): Readonly<Record<string, string>> => ({ ...nameLabel(name), ...partOf });
