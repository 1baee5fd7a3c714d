// The schemas of the API's description as an independent program reads them.
import Ajv from 'ajv/dist/2020.js';

const WORDS = ['openapi', 'info', 'paths', 'components'];

/** Makes a function of a description: `(name, value)` gives what is wrong with a value of that schema, or `null`. */
export function validatorOf(description) {
  // Strict: a word of a schema that nobody knows is a mistake.
  const ajv = new Ajv({
    strict: true, strictRequired: false, strictTypes: false, allowUnionTypes: true,
  });
  for (const word of WORDS) ajv.addKeyword(word);
  ajv.addSchema(description, 'api');
  return (name, value) => {
    const check = ajv.getSchema(`api#/components/schemas/${name}`);
    if (!check) throw new Error(`there is no schema ${name}`);
    return check(value) ? null : ajv.errorsText(check.errors);
  };
}
