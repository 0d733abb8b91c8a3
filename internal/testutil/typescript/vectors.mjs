// The schema and the test vectors of the envelope, used without Go: node vectors.mjs
// TESTDATA, with the path of toolerr/testdata.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { Ajv2020 } from 'ajv/dist/2020.js';

const dir = process.argv[2];
if (!dir) throw new Error('usage: node vectors.mjs TESTDATA');
const load = (file) => JSON.parse(readFileSync(join(dir, file), 'utf8'));

const forms = {
  $repeat: ([text, times]) => text.repeat(times),
  $join: (texts) => texts.join(''),
  $bytes: (hex) => Buffer.from(hex, 'hex').toString('utf8'), // a string cannot hold the bytes
  $times: ([item, times]) => Array(times).fill(item),
  $integer: (digits) => Number(digits), // loses digits, as JSON.parse does
  $json: (text) => JSON.parse(text),
};

function expand(value) {
  if (Array.isArray(value)) return value.map(expand);
  if (value === null || typeof value !== 'object') return value;
  const [[key, of] = [], ...others] = Object.entries(value);
  if (others.length === 0 && key?.startsWith('$')) return forms[key](expand(of));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, expand(item)]));
}

// digits returns the integers of a member that a double cannot represent.
const digits = (value) =>
  value === null || typeof value !== 'object' ? [] : Object.entries(value).flatMap(([key, of]) => (key === '$integer' ? [of] : digits(of)));

const schema = load('envelope.schema.json');
const ajv = new Ajv2020({ strict: true, strictTypes: true, strictTuples: true, allErrors: true });
if (!ajv.validateSchema(schema)) throw new Error(`invalid schema: ${ajv.errorsText()}`);
const valid = ajv.compile(schema);
const complaints = () => valid.errors.map((e) => `${e.instancePath || '/'} ${e.keyword}`).join(', ');

const wrong = [];
let checked = 0;

// checkText compares an encoded text with the members from which it was made.
function checkText(where, text, members, { changed = [] }, given) {
  checked++;
  const bad = (why) => wrong.push(`${where}: ${why}: ${text.slice(0, 300)}`);
  const found = JSON.parse(text);
  if (!valid(found)) bad(`does not match the schema: ${complaints()}`);
  const order = Object.keys(schema.properties).filter((key) => key in found);
  if (!isDeepStrictEqual(Object.keys(found), order)) bad('its keys are not in the order of the schema');
  const { partial, ...rest } = found;
  if (Buffer.byteLength(JSON.stringify(rest)) > 8192) bad('over 8192 bytes without partial');
  for (const [key, value] of Object.entries(rest))
    if (typeof value === 'string' && Buffer.byteLength(value) > 2048) bad(`${key} has over 2048 bytes`);

  delete found.isError;
  const differ = [...new Set([...Object.keys(found), ...Object.keys(members)])].filter((key) => !isDeepStrictEqual(found[key], members[key]));
  if (!isDeepStrictEqual(differ.sort(), [...changed].sort())) bad(`changes ${differ} and not ${changed}`);
  for (const number of digits(given)) if (!text.includes(number)) bad(`has lost ${number}`);
}

for (const vector of load('write.json'))
  checkText(`write.json, ${vector.name}`, expand(vector.wire), expand(vector.members), vector, vector.members);

for (const vector of load('read.json')) {
  const where = `read.json, ${vector.name}`;
  const text = expand(vector.text);
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    // not JSON
  }
  const isObject = read !== null && typeof read === 'object' && !Array.isArray(read);
  if (isObject === Boolean(vector.refused)) wrong.push(`${where}: JSON.parse makes ${JSON.stringify(read)} of it`);
  if (vector.refused) checked++;
  else checkText(where, expand(vector.written), expand(vector.members), vector, vector.members);
}

for (const { name, envelope, refused } of load('schema.json')) {
  checked++;
  const accepted = valid(expand(envelope));
  if (accepted && refused) wrong.push(`schema.json, ${name}: is not refused`);
  if (!accepted && !refused) wrong.push(`schema.json, ${name}: does not match the schema: ${complaints()}`);
  if (!accepted && refused && !valid.errors.some((e) => e.instancePath === refused.at && e.keyword === refused.keyword))
    wrong.push(`schema.json, ${name}: refused for ${complaints()}, not for ${refused.at} ${refused.keyword}`);
}

if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`${checked} vectors hold in JavaScript`);
}
