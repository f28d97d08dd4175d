export default { oxc: { jsx: { runtime: 'automatic' } }, logLevel: 'warn' };
