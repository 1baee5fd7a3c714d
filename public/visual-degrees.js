// The module that another page takes: it registers <visual-degrees>. See visual-degrees.d.ts.

export { VisualDegrees } from './elements/index.js';
