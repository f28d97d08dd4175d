import webpack from 'webpack';

const options = { mode: 'production', entry: './main.js', output: { path: import.meta.dirname, filename: 'dist.js' } };
webpack(options, (error, stats) => {
  const told = error ?? (stats.hasErrors() || stats.hasWarnings() ? stats.toString('errors-warnings') : undefined);
  if (told) {
    console.error(told);
    process.exitCode = 1;
  }
});
