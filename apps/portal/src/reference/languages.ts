import type { ExampleRequest } from './requests.js';

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);
const variables = /\$([A-Z][A-Z_]*)/g;
const hasVariable = (text: string): boolean => /\$[A-Z]/.test(text);
/** A text of a shell in double quotes if it has variables, else in single quotes. */
const shellText = (text: string): string =>
  hasVariable(text) ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`;

const curl = ({ method, url, headers, json, form }: ExampleRequest): string => {
  const usual = json === undefined && form === undefined ? 'GET' : 'POST';
  const parts = [
    `curl ${method === usual ? '' : `-X ${method} `}${/[$?&]/.test(url) ? shellText(url) : url}`,
    ...(form === undefined || headers.some(([name]) => name === 'Authorization')
      ? []
      : ['-u "$CLIENT_ID:$CLIENT_SECRET"']),
    ...headers.map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...Object.entries(form ?? {}).map(
      ([name, value]) => `-d ${hasVariable(value) ? `"${name}=${value}"` : `${name}=${value}`}`,
    ),
    ...(json === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellText(pretty(json))}`]),
  ];
  return parts.join(' \\\n  ');
};

const nodeText = (text: string): string =>
  hasVariable(text)
    ? `\`${text.replaceAll(variables, (_, name: string) => `\${process.env.${name}}`)}\``
    : `'${text}'`;

const node = ({ method, url, headers, json, form }: ExampleRequest): string => {
  const sent: readonly (readonly [string, string])[] = [
    ...headers,
    ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ];
  const lines = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(sent.length === 0
      ? []
      : [
          'headers: {',
          ...sent.map(([name, value]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${nodeText(value)},`),
          ...(form === undefined
            ? []
            : ['  Authorization: `Basic ${btoa(`${process.env.CLIENT_ID}:${process.env.CLIENT_SECRET}`)}`,']),
          '},',
        ]),
    ...(sent.length === 0 && form !== undefined
      ? [
          'headers: {',
          '  Authorization: `Basic ${btoa(`${process.env.CLIENT_ID}:${process.env.CLIENT_SECRET}`)}`,',
          '},',
        ]
      : []),
    ...(json === undefined ? [] : [`body: JSON.stringify(${pretty(json)}),`]),
    ...(form === undefined
      ? []
      : [
          `body: new URLSearchParams({ ${Object.entries(form)
            .map(([name, value]) => `${name}: ${nodeText(value)}`)
            .join(', ')} }),`,
        ]),
  ].map((line) => indent(line, '  '));
  const options = lines.length === 0 ? '' : `, {\n  ${lines.join('\n  ')}\n}`;
  return `const response = await fetch(${nodeText(url)}${options});\nconsole.log(response.status, await response.text());`;
};

const pythonText = (text: string): string =>
  hasVariable(text)
    ? `f"${text.replaceAll(variables, (_, name: string) => `{os.environ['${name}']}`)}"`
    : JSON.stringify(text);

const pythonValue = (value: unknown): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const [open, close, inner] = Array.isArray(value)
    ? ['[', ']', value.map(pythonValue)]
    : ['{', '}', Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one)}`)];
  return inner.length === 0
    ? `${open}${close}`
    : `${open}\n  ${inner.map((line) => indent(line, '  ')).join(',\n  ')},\n${close}`;
};

const python = ({ method, url, headers, json, form }: ExampleRequest): string => {
  const lines = [
    pythonText(url),
    ...(headers.length === 0
      ? []
      : [
          `headers={\n  ${headers.map(([name, value]) => `${JSON.stringify(name)}: ${pythonText(value)},`).join('\n  ')}\n}`,
        ]),
    ...(json === undefined ? [] : [`json=${pythonValue(json)}`]),
    ...(form === undefined
      ? []
      : [
          `auth=(os.environ['CLIENT_ID'], os.environ['CLIENT_SECRET'])`,
          `data={${Object.entries(form)
            .map(([name, value]) => `${JSON.stringify(name)}: ${pythonText(value)}`)
            .join(', ')}}`,
        ]),
  ].map((line) => indent(line, '  '));
  return `import os, requests\n\nresponse = requests.${method.toLowerCase()}(\n  ${lines.join(',\n  ')},\n)\nprint(response.status_code, response.text)`;
};

/** The languages in which a request is shown, in their order. */
export const languages = [
  { name: 'curl', write: curl },
  { name: 'Node', write: node },
  { name: 'Python', write: python },
] as const;
