// A tool as a command: arguments are JSON on stdin, the result is JSON (or text) on stdout.
// Another exit code than 0 is a failure, and stderr says why.
import { readFileSync } from 'node:fs';

const sky = { paris: 'sunny', london: 'rain', beijing: 'clear', 北京: 'clear' };

const { city } = JSON.parse(readFileSync(0, 'utf8'));
const known = sky[city.toLowerCase()];
if (known) {
  console.log(JSON.stringify({ city, sky: known, celsius: 21 }));
} else {
  console.error(`There is no weather of ${city}; known: ${Object.keys(sky).join(', ')}`);
  process.exitCode = 1;
}
