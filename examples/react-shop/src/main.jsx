import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Order } from './Order.jsx';
import { Shop } from './Shop.jsx';
import './style.css';

const number = new URLSearchParams(location.search).get('number');

createRoot(document.querySelector('#shop')).render(<StrictMode>{number ? <Order number={number} /> : <Shop />}</StrictMode>);
