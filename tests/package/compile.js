/** TypeScript over files of an installed package's project. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const compilers = fileURLToPath(new URL('../compilers/node_modules/', import.meta.url));

/** The compiler's words about files of a project. Of its own libraries it is believed that they are right. */
export function compile(project, version, files, options) {
  const config = join(project, `tsconfig-${version}-${basename(files[0])}.json`);
  const compilerOptions = { strict: true, noEmit: true, skipDefaultLibCheck: true, target: 'es2022', jsx: 'react-jsx', ...options };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const tsc = join(compilers, `typescript-${version}/bin/tsc`);
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [tsc, '--pretty', 'false', '-p', config], { cwd: project, maxBuffer: 2 ** 24 }, (error, out, err) => {
      if (err) reject(new Error(err));
      else resolve(out);
    });
  });
}
