/**
 * The program's `--name=value` arguments over their defaults, all of them numbers.
 * @throws TypeError for a name that is not among the defaults, or a value that is not a number.
 */
export function numericOptions(defaults, argv = process.argv.slice(2)) {
  const options = { ...defaults };
  for (const argument of argv) {
    const [, name = '', value = ''] = /^--([a-z]+)=(\d+)$/.exec(argument) ?? [];
    if (!Object.hasOwn(options, name)) throw new TypeError(`unknown argument ${argument}`);
    options[name] = Number(value);
  }
  return options;
}
