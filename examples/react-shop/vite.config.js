import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // The package is a link into the project here; React is this folder's own.
  resolve: { dedupe: ['react', 'react-dom'], preserveSymlinks: true },
  // While developing, `npm start` of ../node-shop answers what the shop's server is asked.
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
});
