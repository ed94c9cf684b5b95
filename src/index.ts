export { ApiServer } from './api-server.js';
